import { expect, it } from 'vitest';
import { isSameEndpoint, normaliseBaseUrl } from './endpoint.js';

it('FB-2 a base URL is stored without a trailing slash', () => {
  expect(normaliseBaseUrl('https://API.openai.com/v1//')).toBe('https://api.openai.com/v1');
  expect(normaliseBaseUrl('http://127.0.0.1:8080')).toBe('http://127.0.0.1:8080');
});

it.each([
  '',
  'api.openai.com/v1',
  'ftp://host/v1',
  'https://user:hunter2@host/v1',
  'https://host/v1?key=hunter2',
  'https://host/v1#hunter2',
])('RS-4 refuses %j, and does not repeat it', (url) => {
  expect(() => normaliseBaseUrl(url)).toThrow(expect.objectContaining({ code: 'BASE_URL_INVALID', exitCode: 2 }));
  expect(() => normaliseBaseUrl(url)).not.toThrow('hunter2');
});

it('FB-2 endpoints are names or URLs', () => {
  expect(isSameEndpoint('azure-eu', 'azure-eu')).toBe(true);
  expect(isSameEndpoint('azure-eu', 'azure-us')).toBe(false);
  expect(isSameEndpoint('https://host/v1/', 'https://host/v1')).toBe(true);
  expect(isSameEndpoint('https://host/v1', 'https://host/v2')).toBe(false);
});
