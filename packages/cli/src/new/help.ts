/**
 * What `fulmar help new` prints. Text only; apart from the other helps, so that no start of an application
 * reads it.
 */
import { templates } from './templates.ts';

const rows = templates.map(({ name, what }) => `  ${name.padEnd(12)} ${what}`).join('\n');

export const newHelp = `Usage: fulmar new [options] [folder]

Makes a new project in a folder that is empty or not there: an application of the template, its tests, a linter, a README and a
Dockerfile. At a terminal it asks for what is not said.

${rows}

  -t, --template <name>         one of these
      --name <name>             the name in package.json (default: made of that of the folder)
      --package-manager <name>  npm, pnpm, yarn or bun (default: the one that runs this command, else npm)
      --typescript              in TypeScript (default)
      --javascript              in JavaScript: express and koa
      --no-install              do not install the packages
      --no-git                  do not begin a repository of Git, which is done where the folder is in none
  -h, --help                    show this

Examples:
  fulmar new birds --template app
  fulmar new birds -t express --javascript --package-manager pnpm
  npm create fulmar birds -- --template controllers
`;
