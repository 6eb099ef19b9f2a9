import { type ModelServer, type ModelServerOptions, startModelServer } from '../model-server/server.js';
import { messagesApi } from './messages-api.js';

/** Starts a server of Anthropic's Messages API on a free loopback port. */
export function startAnthropicServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  return startModelServer([messagesApi], '', {
    models: { 'claude-test-1': { input_nano_usd: 3_000n, output_nano_usd: 15_000n } },
    api_key: 'sk-ant-test-0123456789abcdef',
    ...options,
  });
}
