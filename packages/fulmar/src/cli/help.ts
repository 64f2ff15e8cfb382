/**
 * What `fulmar --help`, `fulmar help run` and `fulmar --version` print. Text only.
 */

export const generalHelp = `Fulmar runs JavaScript and TypeScript HTTP server applications on a Rust engine.

Usage: fulmar <command>

  run <file>     run an application
  help [run]     show this, or all about \`run\`
  version        show the version (also --version, -v)

Example: fulmar run app.ts
`;

export const runHelp = `Usage: fulmar run [options] <file> [arguments]

Runs a JavaScript or TypeScript file as node does, with express, http and node:http leading to Fulmar in the
application and in its dependencies. What follows <file> is given to the application.

  -w, --workers <n>        serve with n processes that share the port; 0 or auto: one for each core
      --no-alias           leave every import as it is, to compare
      --watch              start again when a file of the application changes
      --env-file <file>    read environment variables from a file; variables that are set already win
      --drain-timeout <s>  seconds that requests in flight may take after SIGTERM or SIGINT (default 25)
      --verbose            show stacks of errors that are otherwise told in a line
  -h, --help               show this

Options of node (--inspect, --max-old-space-size=512, --import ./trace.mjs …) go before <file> and are passed on.

Examples:
  fulmar run app.js
  fulmar run --workers auto src/server.ts
  fulmar run --watch --env-file .env src/server.ts --port 8080
`;
