import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** One command line of a page's ```sh block. */
export interface ShellCommand {
  /** The page, relative to the project. */
  readonly page: string;
  /** As it is written, without its comment. */
  readonly text: string;
}

/** Every command of the README and of docs/, in the order of pages and lines. */
export async function shellCommands(project: string): Promise<ShellCommand[]> {
  const docs = await readdir(join(project, 'docs'), { recursive: true });
  const pages = ['README.md', ...docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];
  const commands: ShellCommand[] = [];
  for (const page of pages.sort()) {
    for (const text of commandsOf(await readFile(join(project, page), 'utf8')))
      commands.push({ page: relative(project, join(project, page)), text });
  }
  return commands;
}

/** The command lines of a page's ```sh blocks. */
export function commandsOf(markdown: string): string[] {
  return blocksOf(markdown, 'sh').flatMap((block) =>
    block
      .replaceAll('\\\n', ' ')
      .split('\n')
      .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
      .filter((line) => line !== ''),
  );
}

/** The texts of a page's blocks in a language. */
export function blocksOf(markdown: string, language: string): string[] {
  return [...markdown.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, text]) => text ?? '',
  );
}
