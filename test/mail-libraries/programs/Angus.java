import jakarta.mail.*;
import jakarta.mail.internet.*;
import java.util.Properties;

public class Angus {
    public static void main(String[] args) throws Exception {
        Properties properties = new Properties();
        SETUP
        MimeMessage mail = new MimeMessage(Session.getInstance(properties));
        mail.setFrom("app@shop.test");
        mail.setRecipients(Message.RecipientType.TO, System.getenv("TO"));
        mail.setSubject("Your code");
        mail.setText("Your code is 481516.");
        Transport.send(mail);
    }
}
