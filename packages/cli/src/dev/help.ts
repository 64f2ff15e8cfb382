/**
 * What `fulmar help dev` prints. Text only; apart from the other helps, so that no start of an application reads it.
 */

export const devHelp = `Usage: fulmar dev [options] [file or folder] [-- arguments]

Runs an application, and loads what changes while it runs: the process, its port, connections and sessions in memory stay. A
folder of routes needs no file that starts it; files of routes are compiled when they are first asked for. Errors are shown in
the browser and at the terminal, /_fulmar shows routes and requests. What follows -- is given to the application. Without a
file: what scripts.start or main of package.json name, a folder of routes, or a file with a usual name.

      --port <n>           where to listen: the variable PORT for an application that listens itself
      --host <address>     the same: the variable HOST
      --env-file <file>    read environment variables from a file; variables that are set already win
      --open               show the address in the browser
      --no-inject          put no script that reloads them into the application's pages
      --remote             show errors and /_fulmar to other machines as well, as from a container
      --allowed-host <n>   show them under this name, besides localhost and the host that is listened on
      --polyglot           with the global Polyglot, for other languages
      --no-alias           leave every import of express, koa and http as it is
  -h, --help               show this

Examples:
  fulmar dev
  fulmar dev server.ts --port 8080
  fulmar dev site --host 0.0.0.0
`;
