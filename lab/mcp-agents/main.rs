// Signs up with the Rust SDK. Its arguments are the URL and the token.
use rmcp::model::CallToolRequestParams;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::ServiceExt;
use serde_json::{json, Value};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let config = StreamableHttpClientTransportConfig::with_uri(args[1].clone()).auth_header(args[2].clone());
    let client = ().serve(StreamableHttpClientTransport::from_config(config)).await?;
    let call = async |name: &'static str, input: Value| -> Result<(Value, bool), Box<dyn std::error::Error>> {
        let request = CallToolRequestParams::new(name).with_arguments(input.as_object().cloned().unwrap_or_default());
        let result = client.call_tool(request).await?;
        Ok((result.structured_content.unwrap_or_default(), result.is_error.unwrap_or(false)))
    };
    let tools = client.list_all_tools().await?.len();
    let (made, _) = call("create_inbox", json!({})).await?;
    let inbox = &made["inbox"];
    println!("{}", made["address"].as_str().unwrap_or_default());
    let (mail, _) = call("wait_for_code", json!({ "inbox": inbox, "timeout_seconds": 30 })).await?;
    let (_, wrong) = call("wait_for_code", json!({ "inbox": inbox, "timeout_seconds": 100_000 })).await?;
    call("delete_inbox", json!({ "inbox": inbox })).await?;
    let (_, gone) = call("list_messages", json!({ "inbox": inbox })).await?;
    let revision = client.peer_info().map(|info| info.protocol_version.to_string());
    println!("{}", json!({ "tools": tools, "code": mail["code"], "wrong": wrong, "gone": gone, "revision": revision }));
    client.cancel().await?;
    Ok(())
}
