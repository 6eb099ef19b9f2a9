-- Undone only where nothing was ever charged: what an owner spent is not forgotten.

lock table recall_matrix_embedding.owner, recall_matrix_embedding.spend in access exclusive mode;

do $$
begin
  if pg_catalog.row_security_active('recall_matrix_embedding.owner') or pg_catalog.row_security_active('recall_matrix_embedding.spend') then
    raise exception 'row security hides rows of the owner''s ledger of embeddings from this login' using errcode = 'RM001';
  end if;
  if exists (select from recall_matrix_embedding.spend where charge_micro_usd > 0 or status = 'pending') then
    raise exception 'the owner''s ledger of embeddings has charges, which the version before it could not keep' using errcode = 'RM003';
  end if;
end $$;

drop table recall_matrix_embedding.spend;
drop table recall_matrix_embedding.owner;
drop function recall_matrix_embedding.refuse_change();
drop function recall_matrix_embedding.refuse_loss();
drop function recall_matrix_embedding.principal();
drop function recall_matrix_embedding.tenant();
revoke usage on schema recall_matrix_embedding from public;
