import type { YamlPath } from '../core/yaml-source.js';
import { parseUsd } from '../ledger/money.js';
import { RESPONSES_MIN_OUTPUT_TOKENS } from '../provider/openai/responses-body.js';
import type { Report } from './check-modes.js';
import { DEFAULT_CEILINGS_USD } from './embedding-ceilings.js';
import { isRemote } from './matrix.js';
import type { AuthoredMatrix } from './matrix-schema.js';

type Entry = AuthoredMatrix['providers'][string];
type Choice = AuthoredMatrix['reader'] | Exclude<AuthoredMatrix['formation'], 'none'>['profile'];

/** Faults of provider entries, and of what models behind them are asked for. */
export function checkProviders(matrix: AuthoredMatrix, report: Report): void {
  for (const [alias, entry] of Object.entries(matrix.providers)) checkAddress(alias, entry, report);
  if (matrix.formation !== 'none')
    checkParameters(['formation', 'profile'], matrix.formation.profile, matrix.providers, report);
  checkParameters(['reader'], matrix.reader, matrix.providers, report);
  for (const [name, judge] of Object.entries(matrix.judges))
    checkParameters(['judges', name], judge, matrix.providers, report);
  checkEmbedding(matrix, report);
  checkCeilings(matrix, report);
}

function checkAddress(alias: string, entry: Entry, report: Report): void {
  if (!isRemote(entry)) return;
  const path: YamlPath = ['providers', alias];
  if (entry.base_url !== undefined && entry.url_env !== undefined) {
    report([...path, 'url_env'], 'CONFLICTING_KEYS', `provider ${alias} gives both base_url and url_env`, 'keep one');
  }
  if (entry.url_env !== undefined && entry.endpoint_name === undefined) {
    report(
      [...path, 'url_env'],
      'ENDPOINT_NAME_MISSING',
      `provider ${alias} takes its URL from a variable and has no endpoint_name`,
      'add `endpoint_name`: banks are bound to it, so that they replay where the variable is not set',
    );
  }
  if (entry.base_url !== undefined) checkUrl([...path, 'base_url'], entry.base_url, report);
}

function checkUrl(path: YamlPath, text: string, report: Report): void {
  if (!URL.canParse(text)) {
    report(path, 'URL_INVALID', 'this is no URL', 'e.g. https://api.openai.com/v1 or http://127.0.0.1:11434/v1');
    return;
  }
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    report(path, 'URL_INVALID', `the scheme ${url.protocol} is not served`, 'use http or https');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    report(
      path,
      'URL_INVALID',
      'a base URL takes no user, password, query or fragment',
      'keys go into the variable that `api_key_env` names',
    );
  }
}

/** Parameters that an API would refuse, or that it lacks: never dropped in silence. */
function checkParameters(path: YamlPath, choice: Choice, providers: AuthoredMatrix['providers'], report: Report): void {
  const entry = providers[choice.provider];
  const unfit = (key: string, what: string, remedy: string): void =>
    report([...path, key], 'PARAMETER_UNFIT', what, remedy);
  const isResponses = entry?.kind === 'openai' && entry.wire_api === 'responses';
  if (isResponses && choice.max_output_tokens < RESPONSES_MIN_OUTPUT_TOKENS)
    unfit(
      'max_output_tokens',
      `the Responses API takes no output limit below ${RESPONSES_MIN_OUTPUT_TOKENS}`,
      `give at least ${RESPONSES_MIN_OUTPUT_TOKENS}`,
    );
  if ((isResponses || entry?.kind === 'anthropic') && choice.seed !== null)
    unfit('seed', `${isResponses ? 'the Responses API' : 'the Messages API'} takes no seed`, 'leave it out');
  if (entry?.kind !== 'anthropic') return;
  if (choice.reasoning_effort === 'minimal')
    unfit('reasoning_effort', 'the Messages API has no effort `minimal`', 'use low, medium or high');
  if ((choice.temperature ?? 0) > 1)
    unfit('temperature', 'the Messages API takes a temperature from 0 to 1', 'lower it, or give null to send none');
}

function checkEmbedding(matrix: AuthoredMatrix, report: Report): void {
  const preparation = matrix.query_preparation;
  if (preparation === undefined || preparation === 'off') return;
  const { provider, dimensions, send_dimensions } = preparation.embedding;
  const path: YamlPath = ['query_preparation', 'embedding'];
  const entry = matrix.providers[provider];
  if (entry?.kind === 'anthropic')
    report([...path, 'provider'], 'PROVIDER_UNFIT', 'Anthropic has no embeddings', 'use `local`, or kind `openai`');
  else if (entry?.kind === 'openai' && dimensions === undefined)
    report(
      path,
      'DIMENSIONS_MISSING',
      'an embedding model that is sent to needs `dimensions`, the length of its vectors',
      'e.g. 1536 for text-embedding-3-small; with `send_dimensions: true` a shorter length, where the model can shorten',
    );
  else if (entry?.kind === 'local' && (dimensions !== undefined || send_dimensions !== undefined))
    report(path, 'PARAMETER_UNFIT', 'the local embedder has one length of vectors', 'leave out `dimensions`');
}

function checkCeilings({ query_preparation: preparation, providers }: AuthoredMatrix, report: Report): void {
  if (preparation === undefined || preparation === 'off' || preparation.ceilings === undefined) return;
  const path: YamlPath = ['query_preparation', 'ceilings'];
  if (providers[preparation.embedding.provider]?.kind === 'local') {
    report(path, 'PARAMETER_UNFIT', 'the local embedder sends nothing, and costs nothing', 'leave out `ceilings`');
    return;
  }
  const { request_usd, day_usd } = preparation.ceilings;
  if (parseUsd(request_usd) <= parseUsd(day_usd)) return;
  const what = `one request may be charged ${request_usd} USD, and the whole day ${day_usd} USD`;
  const wrong = request_usd === DEFAULT_CEILINGS_USD.request_usd ? 'day_usd' : 'request_usd';
  report([...path, wrong], 'CEILINGS_CONTRADICT', what, 'let the day hold at least one of the largest requests');
}
