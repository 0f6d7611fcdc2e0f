import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import jakarta.validation.constraints.Email;
import java.util.Arrays;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.commons.validator.routines.EmailValidator;

/** Prints one line of JSON for each validator of Maven: whether it takes each of the addresses that are its arguments. */
public final class Maven {
  record Account(@Email String email) {}

  public static void main(String[] args) {
    Validator beans = Validation.buildDefaultValidatorFactory().getValidator();
    String[] versions = args[0].split(",");
    String[] addresses = Arrays.copyOfRange(args, 1, args.length);
    print("list of TLDs", "commons-validator `EmailValidator`", versions[0], addresses, EmailValidator.getInstance()::isValid);
    print("syntax", "Hibernate Validator `@Email`", versions[1], addresses, email -> beans.validate(new Account(email)).isEmpty());
    print("syntax", "Angus `InternetAddress`, strict", versions[2], addresses, Maven::isInternetAddress);
    print("syntax", "jmail `strictValidator`", versions[3], addresses, com.sanctionco.jmail.JMail.strictValidator()::isValid);
  }

  private static boolean isInternetAddress(String email) {
    try {
      new InternetAddress(email, true).validate();
      return true;
    } catch (AddressException refused) {
      return false;
    }
  }

  private static void print(String kind, String title, String version, String[] addresses, Predicate<String> accepts) {
    String accepted = Arrays.stream(addresses).map(email -> String.valueOf(accepts.test(email))).collect(Collectors.joining(","));
    System.out.printf("{\"kind\":\"%s\",\"title\":\"%s\",\"version\":\"%s\",\"accepted\":[%s]}%n", kind, title, version, accepted);
  }
}
