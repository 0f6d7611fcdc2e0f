// Signs up with the Java SDK. Its arguments are the URL and the token.
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

public class Maven {
  public static void main(String[] args) {
    var url = URI.create(args[0]);
    var transport = HttpClientStreamableHttpTransport.builder(url.resolve("/").toString())
        .endpoint(url.getPath())
        .httpRequestCustomizer((request, method, uri, body, context) -> request.header("Authorization", "Bearer " + args[1]))
        .build();
    try (var client = McpClient.sync(transport).requestTimeout(Duration.ofSeconds(60)).build()) {
      var revision = client.initialize().protocolVersion();
      var tools = client.listTools().tools().size();
      var made = (Map<?, ?>) client.callTool(new CallToolRequest("create_inbox", Map.of())).structuredContent();
      var inbox = made.get("inbox");
      System.out.println(made.get("address"));
      var mail = (Map<?, ?>) client.callTool(
          new CallToolRequest("wait_for_code", Map.of("inbox", inbox, "timeout_seconds", 30))).structuredContent();
      CallToolResult wrong = client.callTool(
          new CallToolRequest("wait_for_code", Map.of("inbox", inbox, "timeout_seconds", 100_000)));
      client.callTool(new CallToolRequest("delete_inbox", Map.of("inbox", inbox)));
      CallToolResult gone = client.callTool(new CallToolRequest("list_messages", Map.of("inbox", inbox)));
      System.out.printf("{\"tools\":%d,\"code\":\"%s\",\"wrong\":%b,\"gone\":%b,\"revision\":\"%s\"}%n",
          tools, mail.get("code"), wrong.isError(), gone.isError(), revision);
    }
  }
}
