/** What `fulmar help start` prints. Text only. */

export const startHelp = `Usage: fulmar start [options] [folder]

Runs what fulmar build made of a project, in production (NODE_ENV=production, unless it is set): dist/server.mjs or the
executable dist/server in its folder, the newer of them. A file that fulmar build wrote elsewhere is named in the folder's place.

  -w, --workers <n>        serve with n processes that share the port; 0 or auto: one for each core
      --native             the executable, also where the other one is newer
      --env-file <file>    read environment variables from a file; variables that are set already win
      --drain-timeout <s>  seconds that requests in flight may take after SIGTERM or SIGINT (default 25; 2 for Ctrl-C at a
                           terminal)
      --verbose            show stacks of errors otherwise told in a line
  -h, --help               show this

An executable is one process with a drain timeout of its own: --workers and --drain-timeout choose dist/server.mjs.

Examples:
  fulmar start
  fulmar start --workers auto --env-file .env
`;
