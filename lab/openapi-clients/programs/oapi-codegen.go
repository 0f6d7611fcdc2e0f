// The same with oapi-codegen. Its arguments are the API token and the URL.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	"program/api"
)

func as(token string) *api.ClientWithResponses {
	client, err := api.NewClientWithResponses(os.Args[2], api.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token)
		return nil
	}))
	check(err)
	return client
}

func main() {
	ctx := context.Background()
	reply, err := as(os.Args[1]).CreateMailboxWithResponse(ctx, nil, api.CreateMailboxJSONRequestBody{})
	check(err)
	made := reply.JSON201
	fmt.Println(made.Email)
	mailbox := as(made.Token)
	seconds := float32(30)
	found, err := mailbox.WaitForMessageWithResponse(ctx, &api.WaitForMessageParams{TimeoutSeconds: &seconds})
	check(err)
	message := found.JSON200
	raw, err := mailbox.ReadRawMessageWithResponse(ctx, message.Id)
	check(err)
	seen := map[string]any{"code": message.Codes[0], "raw": strings.Contains(string(raw.Body), "Subject:")}
	check(json.NewEncoder(os.Stdout).Encode(seen))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
