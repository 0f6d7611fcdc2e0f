// The same with openapi-generator's Java client. Its arguments are the API token and the URL.
import client.api.MailboxesApi;
import client.api.MessagesApi;
import client.invoker.ApiClient;
import client.model.CreateMailbox;
import java.math.BigDecimal;
import java.nio.file.Files;

public class OpenapiGenerator {
  static ApiClient with(String url, String token) {
    var client = new ApiClient();
    client.updateBaseUri(url);
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
    return client;
  }

  public static void main(String[] args) throws Exception {
    var made = new MailboxesApi(with(args[1], args[0])).createMailbox(new CreateMailbox(), null);
    System.out.println(made.getEmail());
    var messages = new MessagesApi(with(args[1], made.getToken()));
    var message = messages.waitForMessage(null, null, null, null, null, null, new BigDecimal(30));
    var raw = Files.readString(messages.readRawMessage(message.getId()).toPath());
    System.out.printf("{\"code\":\"%s\",\"raw\":%b}%n", message.getCodes().get(0), raw.contains("Subject:"));
  }
}
