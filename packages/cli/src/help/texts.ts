/**
 * What `fulmar --help` and `fulmar help run` print. Text only; apart from what every start of an application
 * reads.
 */
import { moreNodeFlags } from '../run/node-flags.ts';

export const generalHelp = `Fulmar runs JavaScript and TypeScript HTTP server applications on a Rust engine.

Usage: fulmar <command>

  run [file]           run an application
  dev [file]           run an application and load what changes while it runs
  build [file|folder]  make one file, or one executable, of an application, with all it needs
  start [folder]       run what build made of a project, in production
  bench [file|url]     measure an application on stock Node and on Fulmar
  doctor [file]        start an application and tell what runs how, and why
  routes [file]        list the routes of an application, or print them as OpenAPI
  new [folder]         make a new project of a template
  generate <what> <name>
                       make a part of an application of controllers (also g)
  polyglot types <file>
                       make TypeScript's types of Python, Ruby (RBS) and Java
  info                 show what a bug report needs: versions, platform, engine, packages
  help [command]       show this, or all about a command
  version              show the version (also --version, -v)

Without a file: what scripts.start or main of package.json name, or a file with a usual name, as server.js.

Exit code: 2 when the command line is not understood, 1 for other failures.

Example: fulmar run app.ts
`;

export const runHelp = `Usage: fulmar run [options] [file [arguments]]

Runs a JavaScript or TypeScript file as node does, with express, koa, http and node:http leading to Fulmar in the
application and in its dependencies. What follows the file is given to the application. Without a file: what scripts.start or
main of package.json name, or a file with a usual name (server, app, index or main, here or in src); a line tells which.

  -w, --workers <n>        serve with n processes that share the port; 0 or auto: one for each core
      --native             run on the native host instead of Node, as an executable made by fulmar build --native does
      --polyglot           with the global Polyglot, for other languages
      --no-alias           leave every import as it is, to compare
      --watch              start again when a file of the application changes
      --env-file <file>    read environment variables from a file; variables that are set already win
      --drain-timeout <s>  seconds that requests in flight may take after SIGTERM or SIGINT (default 25; 2 for Ctrl-C at a
                           terminal)
      --verbose            show stacks of errors otherwise told in a line, and what imports lead to
  -h, --help               show this

The port is the application's to choose; most read it from the variable PORT, as in PORT=8080 fulmar run app.js.

Options of node go before the file and are passed on, all that NODE_OPTIONS allows and some more:

  debugger                 --inspect, --inspect-brk, --inspect-port
  modules                  --import, --require (-r), --loader, --conditions (-C), --preserve-symlinks
  memory                   --max-old-space-size, --max-semi-space-size, --expose-gc
  errors                   --stack-trace-limit, --trace-warnings, --trace-deprecation, --unhandled-rejections
  more than NODE_OPTIONS   ${moreNodeFlags.join(', ')}

What runs something else than a file is not passed on: --eval, --print, --check, --test, --interactive.

Examples:
  fulmar run
  fulmar run app.js
  fulmar run --workers auto src/server.ts
  fulmar run --watch --env-file .env src/server.ts --port 8080
`;
