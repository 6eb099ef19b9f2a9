import type { ApiError } from '../model-server/api-error.js';

// https://platform.claude.com/docs/en/api/errors#http-errors
const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
};

/** An error as the API words it: https://platform.claude.com/docs/en/api/errors#error-shapes */
export function anthropicError(status: number, message: string): ApiError {
  const type = TYPES[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
  return { status, body: { type: 'error', error: { type, message }, request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy' } };
}
