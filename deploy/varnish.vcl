# Varnish in front of the site. For plain HTTP: varnishd -a :80 -f /opt/mayfly/current/deploy/varnish.vcl
# Behind a proxy for TLS that sends the PROXY header, such as stunnel: varnishd -a 127.0.0.1:8443,PROXY -f ...
# Without that header all visitors would have the address of that proxy, and share one limit.
# HTTP/2, for programs and proxies that ask for it: -p feature=+http2
vcl 4.1;

backend mayfly {
    .host = "127.0.0.1";
    .port = "8080";
    # A wait for mail takes up to 55 s, and an event stream beats at least every 30 seconds.
    .first_byte_timeout = 75s;
    .between_bytes_timeout = 75s;
}

sub vcl_recv {
    # Varnish appends the visitor's address to what they sent: only what it sees counts. TRUST_PROXY=127.0.0.1,::1
    set req.http.X-Forwarded-For = client.ip;
    # Only files whose names change with their content are the same for everybody.
    if (req.url !~ "^/assets/") {
        return (pass);
    }
}
