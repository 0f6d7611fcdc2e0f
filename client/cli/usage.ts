export const USAGE = `mayfly-client COMMAND

  new                a new address, printed alone
    --lifetime SECONDS  --domain DOMAIN  --local-part NAME  --show-token
  list               its messages, newest first: id, time, sender, code, subject
  wait               the first message that matches, also one that is already there
    --code             only its one-time code
    --link             only its confirmation link; with --host HOST any link there
    --from TEXT  --to TEXT  --subject TEXT  --body TEXT  --after CURSOR
    --timeout SECONDS  default: 30
  watch              every message as it arrives, one line each
  open ID            one message: headers, codes, links, text
  raw ID             one message byte for byte: mayfly-client raw ID > mail.eml
  delete [ID]        one message, or the mailbox with all of its mail
  mcp                an MCP server on standard input and output, for agents
  help               this text

ID is an id of the list, or "latest".

Everywhere:
  --json             one JSON value a line; errors as JSON on standard error
  --url URL          the server; default: MAYFLY_URL, else http://localhost:8080
  --mailbox NAME     which mailbox, where there are several: "new --mailbox bob". Also a token.
                     Default: MAYFLY_MAILBOX, else the last one that was made without a name

MAYFLY_API_KEY is a key of an account or an API token of the server. Mailboxes are kept
in ~/.local/state/mayfly-client, readable by you alone.

Exit code: 0 done, 1 refused, 2 not understood, 3 nothing came in time, 4 no such mailbox
or message (it may have expired), 5 the server cannot be reached.
`
