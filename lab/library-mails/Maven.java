// Writes the mail with each library of Maven. Its arguments are the folder to write to and the versions.
import jakarta.activation.FileDataSource;
import jakarta.mail.Message;
import jakarta.mail.Part;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.simplejavamail.api.email.CalendarMethod;
import org.simplejavamail.converter.EmailConverter;
import org.simplejavamail.email.EmailBuilder;

public class Maven {
  static final String PDF = "Preisliste für Ana.pdf";

  public static void main(String[] args) throws Exception {
    Files.write(Path.of(args[0], "angus-mail-" + args[1] + ".eml"), angus());
    Files.write(Path.of(args[0], "simple-java-mail-" + args[2] + ".eml"), simpleJavaMail());
  }

  static byte[] angus() throws Exception {
    var message = new MimeMessage(Session.getInstance(new Properties()));
    message.setFrom(new InternetAddress("ana@shop.example", read("from-name"), "UTF-8"));
    message.setRecipients(Message.RecipientType.TO, "name@mayfly.test");
    message.setSubject(read("subject"), "UTF-8");
    var text = new MimeBodyPart();
    text.setText(read("text"), "UTF-8");
    var html = new MimeBodyPart();
    html.setText(read("html"), "UTF-8", "html");
    var logo = new MimeBodyPart();
    logo.attachFile("logo.png", "image/png", null);
    logo.setContentID("<logo@shop.example>");
    logo.setDisposition(Part.INLINE);
    var invite = new MimeBodyPart();
    invite.setText(read("invite.ics"), "UTF-8");
    invite.setHeader("Content-Type", "text/calendar; charset=UTF-8; method=REQUEST");
    var pdf = new MimeBodyPart();
    pdf.attachFile(PDF);
    var alternative = new MimeMultipart("alternative", text, wrap(new MimeMultipart("related", html, logo)), invite);
    message.setContent(new MimeMultipart("mixed", wrap(alternative), pdf));
    var out = new ByteArrayOutputStream();
    message.writeTo(out);
    return out.toByteArray();
  }

  static MimeBodyPart wrap(MimeMultipart content) throws Exception {
    var part = new MimeBodyPart();
    part.setContent(content);
    return part;
  }

  static byte[] simpleJavaMail() throws Exception {
    var email = EmailBuilder.startingBlank()
      .from(read("from-name"), "ana@shop.example")
      .to("name@mayfly.test")
      .withSubject(read("subject"))
      .withPlainText(read("text"))
      .withHTMLText(read("html"))
      .withCalendarText(CalendarMethod.REQUEST, read("invite.ics"))
      .withEmbeddedImage("logo@shop.example", new FileDataSource("logo.png"))
      .withAttachment(PDF, new FileDataSource(PDF))
      .buildEmail();
    return EmailConverter.emailToEML(email).getBytes("UTF-8");
  }

  static String read(String name) throws Exception {
    return Files.readString(Path.of(name));
  }
}
