// Signs up with the Go SDK. Its arguments are the URL and the token.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type withToken struct{ token string }

func (w withToken) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Authorization", "Bearer "+w.token)
	return http.DefaultTransport.RoundTrip(request)
}

func main() {
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, nil)
	transport := &mcp.StreamableClientTransport{Endpoint: os.Args[1], HTTPClient: &http.Client{Transport: withToken{os.Args[2]}}}
	session, err := client.Connect(ctx, transport, nil)
	check(err)
	call := func(name string, input map[string]any) (map[string]any, bool) {
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: input})
		check(err)
		output, _ := result.StructuredContent.(map[string]any)
		return output, result.IsError
	}
	list, err := session.ListTools(ctx, nil)
	check(err)
	made, _ := call("create_inbox", map[string]any{})
	inbox := made["inbox"]
	fmt.Println(made["address"])
	mail, _ := call("wait_for_code", map[string]any{"inbox": inbox, "timeout_seconds": 30})
	_, wrong := call("wait_for_code", map[string]any{"inbox": inbox, "timeout_seconds": 100000})
	call("delete_inbox", map[string]any{"inbox": inbox})
	_, gone := call("list_messages", map[string]any{"inbox": inbox})
	seen := map[string]any{"tools": len(list.Tools), "code": mail["code"], "wrong": wrong, "gone": gone}
	if result := session.InitializeResult(); result != nil {
		seen["revision"] = result.ProtocolVersion
	}
	check(json.NewEncoder(os.Stdout).Encode(seen))
	check(session.Close())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
