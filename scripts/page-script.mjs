// The report's script: what the page's client is made of, in one file that can stand in an element.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vite';

/**
 * @param client the folder of its source.
 * @param out the file.
 */
export async function buildPageScript(client, out) {
  const made = await build({
    configFile: false,
    envFile: false,
    logLevel: 'error',
    root: client,
    build: {
      write: false,
      target: 'es2022',
      // Readable: whoever opens a report can read what runs in it.
      minify: false,
      lib: { entry: join(client, 'main.ts'), formats: ['iife'], name: 'report' },
    },
  });
  const [{ code }] = made[0].output;
  // Where it stands in an element, its text must not end that element, nor begin a comment in it.
  if (/<\/script|<!--/i.test(code)) throw new Error("the report's script holds what ends its element");
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, code);
}
