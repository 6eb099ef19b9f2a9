import type { ApiError } from '../model-server/api-error.js';

/** An error as the API words it: https://platform.openai.com/docs/guides/error-codes#api-errors */
export function apiError(
  status: number,
  message: string,
  facts: { readonly param?: string | null; readonly code?: string | null; readonly type?: string } = {},
): ApiError {
  const type = facts.type ?? (status >= 500 ? 'server_error' : 'invalid_request_error');
  return { status, body: { error: { message, type, param: facts.param ?? null, code: facts.code ?? null } } };
}

export function badRequest(message: string, param: string | null = null, code: string | null = null): ApiError {
  return apiError(400, message, { param, code });
}
