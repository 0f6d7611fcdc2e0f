/** Labelled mails in Japanese. */
import type { LabelledMail } from './entry.ts'

export const mails: LabelledMail[] = [
  {
    name: '認証コード、罫線で囲む',
    subject: '【あおぞら書店】認証コードのお知らせ',
    text: `いつもあおぞら書店をご利用いただきありがとうございます。

━━━━━━━━━━━━━━━
認証コード：482071
━━━━━━━━━━━━━━━

有効期限：発行から10分間

※本メールは送信専用です。
株式会社あおぞら書店 〒101-0051 東京都千代田区神田神保町2-14`,
    code: '482071',
    link: null,
  },
  {
    name: '全角数字',
    subject: 'ワンタイムパスワード通知',
    text: `みなと銀行インターネットバンキングです。

お客さまのワンタイムパスワードは次のとおりです。

　　７３０９１８５５

お取引金額：１２０，０００円
このパスワードを電話でお伺いすることは一切ございません。`,
    code: '73091855',
    link: null,
  },
  {
    name: '件名の先頭にコード',
    subject: '3914：ぽけっと家計簿のログイン確認',
    html: `<p>ぽけっと家計簿にログインしようとしています。</p><p style="font-size:28px;color:#223344">3914</p><p>アプリの画面に4桁の番号を入力してください。心当たりがない場合は破棄してください。</p>`,
    text: `ぽけっと家計簿にログインしようとしています。

3914

アプリの画面に4桁の番号を入力してください。`,
    code: '3914',
    link: null,
  },
  {
    name: '文中のコード',
    subject: 'メールアドレスの確認をお願いします',
    html: `<p>佐藤 様</p><p>ご登録ありがとうございます。画面に戻り、確認コード「<b>650 283</b>」を30分以内にご入力ください。</p><p>会員番号：0081-4471-20</p><p>&copy; 2026 てくてく旅行</p>`,
    code: '650283',
    link: null,
  },
  {
    name: '英数字の連携コード',
    subject: 'テレビとの連携手順',
    text: `スマートフォンで tv.kogane.example/link を開き、以下の連携コードを入力してください（ハイフンも必要です）。

X4KP-Q9RM

お問い合わせ：0120-555-014（10:00〜18:00）`,
    html: `<p>スマートフォンで <b>tv.kogane.example/link</b> を開き、以下の連携コードを入力してください（ハイフンも必要です）。</p><table><tr><td style="font-size:30px;background:#fff3cd">X4KP-Q9RM</td></tr></table><p>お問い合わせ：0120-555-014（10:00〜18:00）</p>`,
    code: 'X4KP-Q9RM',
    link: null,
  },
  {
    name: '本人認証サービス',
    subject: '【重要】カードご利用時の本人認証',
    html: `<table><tr><th>ご利用日時</th><td>2026/11/23 08:14</td></tr><tr><th>ご利用金額</th><td>38,500円</td></tr><tr><th>ご利用先</th><td>ミズホデンキ</td></tr><tr><th>認証番号</th><td>019 427</td></tr></table><p>カード末尾：7719</p>`,
    code: '019427',
    link: null,
  },
  {
    name: 'コードとログインリンク',
    subject: 'こよみノートへのログイン',
    html: `<p>下のボタンを押すとログインできます。</p><p><a href="https://koyominote.example/auth/magic?k=77c0ab1e&amp;r=jp" style="background:#2a9d8f;color:#fff">ログインする</a></p><p>別の端末をお使いの場合は、コード <code>508816</code> を入力してください。</p><p><a href="https://koyominote.example/mail/stop?m=33190">配信停止</a></p>`,
    text: `ログインはこちら
https://koyominote.example/auth/magic?k=77c0ab1e&r=jp

別の端末をお使いの場合は、コード 508816 を入力してください。`,
    code: '508816',
    link: 'https://koyominote.example/auth/magic?k=77c0ab1e&r=jp',
  },
  {
    name: '日英併記',
    subject: '確認コード / Verification code',
    text: `確認コード / Verification code: 77204

このコードは5分間有効です。
This code is valid for 5 minutes.

ホテルしらかば 予約番号 HS-118204`,
    code: '77204',
    link: null,
  },
  {
    name: '市役所の手続き',
    subject: '電子申請システム　パスコード送付',
    text: `受付番号：2026112300418
申請者：山田　花子　様

電子申請の続きは、次のパスコードをご入力のうえお進めください。
パスコード
B7T2M9

若草市役所 市民課　内線2204`,
    code: 'B7T2M9',
    link: null,
  },
  {
    name: 'くだけた文面',
    subject: 'ようこそ、もぐもぐクラブへ！',
    html: `<p>まいちゃん、はじめまして🍙</p><p>あとひとつだけ！アプリに <span style="font-weight:700">44 09 17</span> って入れてね。</p><p>15分たつと使えなくなるよ。</p>`,
    code: '440917',
    link: null,
  },
  {
    name: '注文確認',
    subject: 'ご注文番号 250-4418207-0093315 を承りました',
    html: `<p>ご注文ありがとうございます。</p><table><tr><td>注文番号</td><td>250-4418207-0093315</td></tr><tr><td>合計</td><td>￥4,980（税込）</td></tr><tr><td>お届け</td><td>11月25日 午前中</td></tr></table><p><a href="https://kurashi-ichi.example/orders/0093315">注文内容を見る</a></p>`,
    text: `注文番号：250-4418207-0093315
合計：￥4,980（税込）
お届け：11月25日 午前中
https://kurashi-ichi.example/orders/0093315`,
    code: null,
    link: null,
  },
  {
    name: 'クーポン',
    subject: '【本日限り】クーポンコード：AKI1000',
    html: `<div style="background:#c1121f;color:#fdf0d5"><h1>1,000円OFF</h1><p>お会計時にコードを入力</p><p style="font-size:40px">AKI1000</p><a href="https://fukuya.example/c/aki?m=20261123">今すぐ使う</a></div><p>5,000円以上のお買い物に限ります。<a href="https://fukuya.example/stop/81120">配信停止</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'SMSで送ったコード',
    subject: '2段階認証のご案内',
    text: `ご登録の携帯電話番号（末尾4417）へ、6桁の認証コードをSMSでお送りしました。
画面にそのコードをご入力ください。

届かない場合は再送をお試しください。お問い合わせ番号 330918`,
    code: null,
    link: null,
  },
  {
    name: '不在通知の詐欺',
    subject: '5802114417',
    text: `お荷物のお届けにあがりましたが不在のため持ち帰りました。
伝票番号：5802114417
再配達手数料 80円をお支払いください。
https://saihaitatsu-jp.example/p/5802114417`,
    code: null,
    link: null,
  },
  {
    name: '注意喚起',
    subject: '不審なメールにご注意ください',
    html: `<p>「認証コード 118920」などの件名で、当行を装った偽メールが確認されています。</p><p><b>当行がワンタイムパスワードや暗証番号をお尋ねすることはありません。</b></p><p>みなと銀行 0120-555-099</p>`,
    code: null,
    link: null,
  },
  {
    name: '本登録のリンク',
    subject: '【仮登録完了】本登録のお手続き',
    text: `仮登録ありがとうございます。
24時間以内に下記URLへアクセスし、本登録を完了してください。

https://member.hanauta.example/regist/confirm?tk=0c8e7714ab

※お心当たりのない方は、お手数ですが本メールを削除してください。
退会はこちら https://member.hanauta.example/leave`,
    code: null,
    link: 'https://member.hanauta.example/regist/confirm?tk=0c8e7714ab',
  },
  {
    name: 'パスワード再設定リンク',
    subject: 'パスワード再設定のご案内',
    html: `<p>鈴木 様（お客様番号 40418827）</p><p><a href="https://id.denki-plan.example/pw/reset/5fa1-88c0">パスワードを再設定する</a></p><p>有効期限は2026年11月23日 20:14です。</p>`,
    text: `鈴木 様（お客様番号 40418827）

パスワードの再設定：
https://id.denki-plan.example/pw/reset/5fa1-88c0

有効期限は2026年11月23日 20:14です。`,
    code: null,
    link: 'https://id.denki-plan.example/pw/reset/5fa1-88c0',
  },
  {
    name: '新しい端末',
    subject: '新しい端末からのログインがありました',
    html: `<p>日時：2026/11/22 23:02<br>IPアドレス：198.51.100.64<br>場所：大阪府</p><p>お心当たりがない場合は、<a href="https://id.pocket-kakeibo.example/protect?e=77182">アカウントを保護</a>してください。</p>`,
    code: null,
    link: null,
  },
  {
    name: '請求書',
    subject: '11月分ご請求金額のお知らせ',
    text: `請求書番号　20261100482
お客様番号　7718-2204
ご請求額　　6,380円
お支払期限　2026年12月10日

振込先：みなと銀行 本店 普通 1184402`,
    html: `<table><tr><td>請求書番号</td><td>20261100482</td></tr><tr><td>お客様番号</td><td>7718-2204</td></tr><tr><td>ご請求額</td><td>6,380円</td></tr></table><p><a href="https://bill.sora-net.example/20261100482">明細を見る</a></p>`,
    code: null,
    link: null,
  },
  {
    name: '期限切れ',
    subject: '認証コードの有効期限が切れました',
    text: `先ほどお送りした認証コード（660318）は有効期限が切れました。お手数ですが、ログイン画面から再度発行してください。`,
    code: null,
    link: null,
  },
  {
    name: '予約',
    subject: '【ご予約確定】12/04(金) 19:00 2名様',
    html: `<p>予約番号：<b>R8841027</b></p><p>店舗：炭火焼 とりの助 新宿店<br>電話：03-5555-0127</p><p>キャンセルは前日までにお願いいたします。</p>`,
    text: `予約番号：R8841027
店舗：炭火焼 とりの助 新宿店
電話：03-5555-0127`,
    code: null,
    link: null,
  },
  {
    name: '注文番号と同じ桁数',
    subject: 'ご注文 551820 のお届け先変更',
    html: `<p>ご注文 <b>551820</b> のお届け先を変更するには、ご本人確認が必要です。</p><p>確認コード <b>730946</b></p><p>お客様番号 118204</p>`,
    text: `ご注文 551820 のお届け先を変更するには、ご本人確認が必要です。

確認コード 730946

お客様番号 118204`,
    code: '730946',
    link: null,
  },
  {
    name: 'マスごとの数字',
    subject: '保護者ポータル 初回登録',
    html: `<p>下の6つの数字を登録画面に入力してください。</p><table><tr><td style="border:1px solid #335577">2</td><td style="border:1px solid #335577">0</td><td style="border:1px solid #335577">5</td><td style="border:1px solid #335577">5</td><td style="border:1px solid #335577">8</td><td style="border:1px solid #335577">1</td></tr></table><p>若草小学校 2年3組</p>`,
    code: '205581',
    link: null,
  },
  {
    name: '仮パスワード',
    subject: '仮パスワード発行のお知らせ',
    text: `取引先各位

ポータルの仮パスワードを発行しました。
仮パスワード：mK72vRx4（大文字小文字の区別あり）
取引先コード：7000418`,
    code: 'mK72vRx4',
    link: null,
    kind: 'password',
  },
  {
    name: '利用者カードの有効化',
    subject: '図書館カードの有効化',
    html: `<p>カード番号 0048291 を<a href="https://tosho.example/card/activate?n=48291&amp;k=e7c0">こちら</a>から有効化してください。</p><p><a href="https://tosho.example/calendar">開館カレンダー</a></p>`,
    code: null,
    link: 'https://tosho.example/card/activate?n=48291&k=e7c0',
  },
  {
    name: 'ほかのコード',
    subject: 'エラーコード 40312 について',
    html: `<p>バーコード 4901234567894 の読み取り時にエラーコード 40312 が発生しました。店舗コード 0118、商品コード 882041。</p><p>QRコード決済は影響ありません。</p>`,
    text: `バーコード 4901234567894 の読み取り時にエラーコード 40312 が発生しました。店舗コード 0118、商品コード 882041。
QRコード決済は影響ありません。`,
    code: null,
    link: null,
  },
  {
    name: '紹介コード',
    subject: 'お友だち紹介で500ポイント',
    html: `<p>あなたの紹介コード</p><h2>MAI4471</h2><p>お友だちが登録時に入力すると、お二人に500ポイント。</p>`,
    code: null,
    link: null,
  },
  {
    name: '列見出しの下のコード',
    subject: '学生ポータル 一時アクセス',
    html: `<table><tr><th>学籍番号</th><th>確認番号</th><th>有効期限</th></tr><tr><td>330718</td><td>407581</td><td>11/23 09:15</td></tr></table><p>学務課 内線118</p>`,
    code: '407581',
    link: null,
  },
  {
    name: '説明が後に続く',
    subject: '珈琲工房あけぼの',
    text: `26-93-10

アプリで聞かれる番号です。15分以内にご入力ください。`,
    code: '269310',
    link: null,
  },
  {
    name: '検針',
    subject: '検針結果のお知らせ',
    text: `今回指示数　48291
使用量　　　307 kWh
供給地点特定番号　03-0048-2913-0771-8820`,
    code: null,
    link: null,
  },
]
