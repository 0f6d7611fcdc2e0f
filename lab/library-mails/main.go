// Writes the mail with each library of Go. Its argument is the folder to write to.
package main

import (
	"net/textproto"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	jordan "github.com/jordan-wright/email"
	"github.com/wneessen/go-mail"
	"gopkg.in/gomail.v2"
)

const pdf = "Preisliste für Ana.pdf"

func main() {
	goMail()
	goMail2()
	jordanWright()
}

func goMail() {
	message := mail.NewMsg()
	check(message.FromFormat(read("from-name"), "ana@shop.example"))
	check(message.To("name@mayfly.test"))
	message.Subject(read("subject"))
	message.SetBodyString(mail.TypeTextPlain, read("text"))
	message.AddAlternativeString(mail.TypeTextHTML, read("html"))
	message.EmbedFile("logo.png", mail.WithFileContentID("logo@shop.example"))
	message.AttachFile(pdf)
	out := create("go-mail", "github.com/wneessen/go-mail")
	_, err := message.WriteTo(out)
	check(err)
}

// It takes the name of the file as the Content-ID.
func goMail2() {
	message := gomail.NewMessage()
	message.SetAddressHeader("From", "ana@shop.example", read("from-name"))
	message.SetHeader("To", "name@mayfly.test")
	message.SetHeader("Subject", read("subject"))
	message.SetBody("text/plain", read("text"))
	message.AddAlternative("text/html", strings.ReplaceAll(read("html"), "cid:logo@shop.example", "cid:logo.png"))
	message.AddAlternative("text/calendar; method=REQUEST", read("invite.ics"))
	message.Embed("logo.png")
	message.Attach(pdf)
	_, err := message.WriteTo(create("gomail", "gopkg.in/gomail.v2"))
	check(err)
}

func jordanWright() {
	message := jordan.NewEmail()
	message.From = read("from-name") + " <ana@shop.example>"
	message.To = []string{"name@mayfly.test"}
	message.Subject = read("subject")
	message.Text = []byte(read("text"))
	message.HTML = []byte(read("html"))
	message.Attachments = []*jordan.Attachment{
		{
			Filename: "logo.png", ContentType: "image/png", Content: []byte(read("logo.png")), HTMLRelated: true,
			Header: textproto.MIMEHeader{"Content-Id": {"<logo@shop.example>"}, "Content-Disposition": {"inline; filename=logo.png"}},
		},
	}
	_, err := message.AttachFile(pdf)
	check(err)
	bytes, err := message.Bytes()
	check(err)
	_, err = create("jordan-wright-email", "github.com/jordan-wright/email").Write(bytes)
	check(err)
}

func read(name string) string {
	bytes, err := os.ReadFile(name)
	check(err)
	return string(bytes)
}

func create(name, path string) *os.File {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == path {
			name += "-" + strings.SplitN(module.Version[1:], "-", 2)[0]
		}
	}
	file, err := os.Create(filepath.Join(os.Args[1], name+".eml"))
	check(err)
	return file
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
