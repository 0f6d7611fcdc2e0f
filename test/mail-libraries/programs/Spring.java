package app;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.mail.MailSender;
import org.springframework.mail.SimpleMailMessage;

@SpringBootApplication
public class Spring {
    public static void main(String[] args) {
        SimpleMailMessage mail = new SimpleMailMessage();
        mail.setFrom("app@shop.test");
        mail.setTo(System.getenv("TO"));
        mail.setSubject("Your code");
        mail.setText("Your code is 481516.");
        SpringApplication.run(Spring.class, args).getBean(MailSender.class).send(mail);
    }
}
