#!/bin/sh
# The same with curl alone. Needs MAYFLY_URL and, unless the server runs with BOT_CHECK=off, MAYFLY_API_KEY.
set -eu
app=${APP_URL:-http://127.0.0.1:3000}
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

made=$(curl -fsS "$MAYFLY_URL/api/mailboxes" -H 'content-type: application/json' ${MAYFLY_API_KEY:+-H "authorization: Bearer $MAYFLY_API_KEY"} -d '{}')
address=$(printf %s "$made" | field email)
token=$(printf %s "$made" | field token)

curl -fsS "$app/sign-up" --data-urlencode "email=$address" > /dev/null
mail=$(curl -fsS "$MAYFLY_URL/api/mailbox/wait?from=garden-club.example" -H "authorization: Bearer $token")
code=$(printf %s "$mail" | sed -n 's/.*"codes":\["\([^"]*\)".*/\1/p')
curl -fsS "$app/confirm" --data-urlencode "email=$address" --data-urlencode "code=$code" | grep -o "Welcome, [^!]*"

curl -fsS -X DELETE "$MAYFLY_URL/api/mailbox" -H "authorization: Bearer $token"
