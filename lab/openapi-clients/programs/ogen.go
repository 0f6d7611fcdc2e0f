// The same with ogen. Its arguments are the API token and the URL.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"program/api"
)

type credentials struct{ token string }

func (c credentials) ApiCredential(context.Context, api.OperationName) (api.ApiCredential, error) {
	return api.ApiCredential{Token: c.token}, nil
}
func (c credentials) MailboxToken(context.Context, api.OperationName) (api.MailboxToken, error) {
	return api.MailboxToken{Token: c.token}, nil
}
func (c credentials) SessionCookie(context.Context, api.OperationName) (api.SessionCookie, error) {
	return api.SessionCookie{}, nil
}

func main() {
	ctx := context.Background()
	client, err := api.NewClient(os.Args[2], credentials{os.Args[1]})
	check(err)
	reply, err := client.CreateMailbox(ctx, &api.CreateMailbox{}, api.CreateMailboxParams{})
	check(err)
	made := reply.(*api.MailboxCreated)
	fmt.Println(made.Email)
	mailbox, err := api.NewClient(os.Args[2], credentials{made.Token})
	check(err)
	found, err := mailbox.WaitForMessage(ctx, api.WaitForMessageParams{TimeoutSeconds: api.NewOptFloat64(30)})
	check(err)
	message := found.(*api.Message)
	raw, err := mailbox.ReadRawMessage(ctx, api.ReadRawMessageParams{ID: message.ID})
	check(err)
	bytes, err := io.ReadAll(raw.(*api.ReadRawMessageOK))
	check(err)
	seen := map[string]any{"code": message.Codes[0], "raw": strings.Contains(string(bytes), "Subject:")}
	check(json.NewEncoder(os.Stdout).Encode(seen))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
