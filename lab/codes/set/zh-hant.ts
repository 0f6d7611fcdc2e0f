/** Labelled mails in traditional Chinese. */
import type { LabelledMail } from './entry.ts'

export const mails: LabelledMail[] = [
  {
    name: '一次性密碼',
    subject: '福隆銀行｜一次性密碼（OTP）通知',
    text: `親愛的客戶您好：

您的一次性密碼（OTP）為 204817，請於180秒內輸入。

交易金額：NT$3,680
卡號末四碼：7719
※本行人員不會以任何方式詢問您的OTP。`,
    code: '204817',
    link: null,
  },
  {
    name: '主旨開頭',
    subject: '6630 是您的哈囉單車驗證碼',
    html: `<p>嗨！在 App 輸入 <b>6630</b> 就可以出發囉 🚲</p><p>不是你嗎？那就別理這封信。</p>`,
    text: `嗨！在 App 輸入 6630 就可以出發囉 🚲

不是你嗎？那就別理這封信。`,
    code: '6630',
    link: null,
  },
  {
    name: '表格大字',
    subject: '請完成電子郵件驗證',
    html: `<table width="560" style="border:1px solid #d9d9d9"><tr><td>陳小姐您好，</td></tr><tr><td>感謝您加入「好日子生活市集」，您的驗證碼：</td></tr><tr><td align="center" style="font-size:38px;color:#005544">918 350</td></tr><tr><td>本驗證碼15分鐘內有效。客服專線 (02)5555-0144，統一編號 48291307</td></tr></table>`,
    code: '918350',
    link: null,
  },
  {
    name: '香港雙語',
    subject: 'Your verification code 你的驗證碼',
    text: `你的驗證碼係 475192，請喺10分鐘內輸入。
Your verification code is 475192. Please enter it within 10 minutes.

維港電訊 Harbour Telecom
九龍觀塘道418號　查詢熱線 2555 0133`,
    code: '475192',
    link: null,
  },
  {
    name: '英數混合',
    subject: '裝置綁定碼',
    text: `請至 tv.yuehsi.example/bind 輸入下列綁定碼（含連字號）：

RX7-4QM

機上盒序號：2204-8817-3340`,
    html: `<p>請至 <u>tv.yuehsi.example/bind</u> 輸入下列綁定碼（含連字號）：</p><p style="font:bold 30px Courier;color:#771155">RX7-4QM</p><p>機上盒序號：2204-8817-3340</p>`,
    code: 'RX7-4QM',
    link: null,
  },
  {
    name: '忘記密碼驗證碼',
    subject: '忘記密碼',
    text: `林先生您好，

我們收到您忘記密碼的申請。請回到頁面填入 30 84 17 59 ，即可重新設定密碼。

會員編號 V20418
若非您本人申請，請不必理會。`,
    code: '30841759',
    link: null,
  },
  {
    name: '驗證碼與登入連結',
    subject: '登入「隨手記帳」',
    html: `<p><a href="https://jizhang.example/login?ticket=c07e118b&amp;lang=zh-TW" style="background:#08979c;color:#fff">點我登入</a></p><p>在其他裝置上？請輸入驗證碼：<b>881 027</b></p><p><a href="https://jizhang.example/unsub?m=44180">取消訂閱</a></p>`,
    code: '881027',
    link: 'https://jizhang.example/login?ticket=c07e118b&lang=zh-TW',
  },
  {
    name: '政府平台',
    subject: '線上申辦系統－電子信箱確認',
    text: `案件編號：1151123-00482
申請人：王○明

您的確認碼
００７７２１
請於30分鐘內於申辦網頁輸入。

新竹縣竹東鎮公所 敬上`,
    code: '007721',
    link: null,
  },
  {
    name: '隔開的方格',
    subject: '只差一步！',
    html: `<p>把下面五個數字填進註冊頁就完成了：</p><p><span style="border:1px solid #aaaaaa">5</span> <span style="border:1px solid #aaaaaa">1</span> <span style="border:1px solid #aaaaaa">9</span> <span style="border:1px solid #aaaaaa">0</span> <span style="border:1px solid #aaaaaa">4</span></p><p>貓頭鷹讀書會，信件編號 2026112377</p>`,
    text: `把下面五個數字填進註冊頁就完成了：

5 1 9 0 4

貓頭鷹讀書會，信件編號 2026112377`,
    code: '51904',
    link: null,
  },
  {
    name: '更換信箱',
    subject: '變更電子信箱確認',
    text: `你剛剛把「番薯拍賣」的聯絡信箱改成這一個。請在設定頁輸入 ZK49TD 完成變更。沒輸入的話，系統會保留原本的信箱。`,
    code: 'ZK49TD',
    link: null,
  },
  {
    name: '訂單',
    subject: '訂單成立通知 #26112300417',
    html: `<p>您的訂單 <b>26112300417</b> 已成立。</p><table><tr><td>手沖壺</td><td>x1</td><td>NT$1,280</td></tr><tr><td>運費</td><td></td><td>NT$60</td></tr></table><p>取貨門市：047713 竹北光明店</p><p><a href="https://coffeebox.example/o/26112300417">查看訂單</a></p>`,
    text: `您的訂單 26112300417 已成立。
手沖壺 x1 NT$1,280
取貨門市：047713 竹北光明店
https://coffeebox.example/o/26112300417`,
    code: null,
    link: null,
  },
  {
    name: '折扣碼',
    subject: '🎁 生日禮：折扣碼 BDAY88 請查收',
    html: `<div style="background:#722ed1;color:#fffbe6"><h2>生日快樂！</h2><p>結帳輸入折扣碼</p><p style="font-size:40px">BDAY88</p><a href="https://tangguo.example/bday?u=118204">去逛逛</a></div><p>使用期限 2026/12/31。<a href="https://tangguo.example/off/118204">取消訂閱</a></p>`,
    code: null,
    link: null,
  },
  {
    name: '簡訊驗證碼',
    subject: '兩步驟驗證通知',
    text: `我們已將6位數驗證碼以簡訊傳送至您的手機 0912-***-417，請於網頁輸入。

沒收到簡訊？請確認門號是否正確，或撥 0800-555-012。`,
    code: null,
    link: null,
  },
  {
    name: '假冒稅務',
    subject: '551807',
    text: `【財政通知】您有一筆退稅 NT$5,518 尚未領取，退稅編號 551807，請於 11/25 前至 https://tax-refund-tw.example/551807 填寫資料。`,
    code: null,
    link: null,
  },
  {
    name: '防詐提醒',
    subject: '提醒您：勿將驗證碼告訴他人',
    html: `<p>近來詐騙集團假冒本行傳送「驗證碼 330917」等訊息。<b>本行絕不會要求您提供密碼或驗證碼。</b></p><p>有疑問請撥165反詐騙專線。</p>`,
    text: `近來詐騙集團假冒本行傳送「驗證碼 330917」等訊息。本行絕不會要求您提供密碼或驗證碼。

有疑問請撥165反詐騙專線。`,
    code: null,
    link: null,
  },
  {
    name: '確認信箱連結',
    subject: '請確認您的電子報訂閱',
    text: `感謝訂閱《山海慢遊》電子報！

請點選連結確認訂閱：
https://slowtrip.example/epaper/confirm/77b2-0419?src=web

若您未曾訂閱，請忽略本信。`,
    code: null,
    link: 'https://slowtrip.example/epaper/confirm/77b2-0419?src=web',
  },
  {
    name: '重設密碼連結',
    subject: '重設您的密碼',
    html: `<p>您好：</p><p>請於一小時內點擊下方按鈕重設密碼。</p><p><a href="https://member.waterbill.example/pwd?c=5510ac9f&amp;n=2">重設密碼</a></p><p>用戶編號：07-41-8820-3</p><p><a href="https://member.waterbill.example/service">聯絡客服</a></p>`,
    code: null,
    link: 'https://member.waterbill.example/pwd?c=5510ac9f&n=2',
  },
  {
    name: '新裝置登入',
    subject: '偵測到新裝置登入',
    html: `<p>時間：2026/11/22 22:49<br>裝置：iPad<br>IP 位址：192.0.2.231</p><p>不是您本人？<a href="https://account.hellobike.example/secure/88410">立即保護帳戶</a></p>`,
    text: `時間：2026/11/22 22:49
裝置：iPad
IP 位址：192.0.2.231
不是您本人？https://account.hellobike.example/secure/88410`,
    code: null,
    link: null,
  },
  {
    name: '電子發票',
    subject: '電子發票開立通知',
    text: `發票號碼：KT-48291307
隨機碼：4471
開立日期：115年11月22日
總計：NT$ 420
載具：/AB12+X9

中獎發票將另行通知。`,
    code: null,
    link: null,
  },
  {
    name: '驗證碼失效',
    subject: '您的驗證碼已失效',
    text: `您於 08:02 索取的驗證碼 118 643 已逾時失效，請重新登入以取得新的驗證碼。`,
    code: null,
    link: null,
  },
  {
    name: '訂位與票券',
    subject: '高鐵訂位成功（訂位代號 07184420）',
    html: `<table><tr><td>訂位代號</td><td>07184420</td></tr><tr><td>車次</td><td>1637</td></tr><tr><td>座位</td><td>5車 12E</td></tr><tr><td>付款期限</td><td>12/02 23:59</td></tr></table>`,
    code: null,
    link: null,
  },
  {
    name: '訂單編號與驗證碼同長',
    subject: '訂單 551820 變更收件地址',
    html: `<p>您正在變更訂單 <b>551820</b> 的收件地址，請先驗證身分。</p><p>驗證碼 <b>310679</b></p><p>客戶編號 118204</p>`,
    text: `您正在變更訂單 551820 的收件地址，請先驗證身分。

驗證碼 310679

客戶編號 118204`,
    code: '310679',
    link: null,
  },
  {
    name: '預設密碼',
    subject: '聯絡簿系統預設密碼',
    html: `<p>親愛的家長您好：首次登入請使用臨時密碼 <b>wH28tKr5</b>（區分大小寫）。</p><p>光明國小 教務處 分機 118</p>`,
    code: 'wH28tKr5',
    link: null,
    kind: 'password',
  },
  {
    name: '啟用借閱證',
    subject: '請啟用您的借閱證',
    html: `<p>借閱證 0048291 已核發，<a href="https://library-tw.example/card/enable?n=48291&amp;k=c0e7">按此啟用</a>。</p><p><a href="https://library-tw.example/hours">開放時間</a></p>`,
    code: null,
    link: 'https://library-tw.example/card/enable?n=48291&k=c0e7',
  },
  {
    name: '其他代碼',
    subject: '錯誤代碼 40312',
    html: `<p>掃描條碼 4711234567893 時出現錯誤代碼 40312。銀行代碼 808，郵遞區號 310401。</p>`,
    text: `掃描條碼 4711234567893 時出現錯誤代碼 40312。銀行代碼 808，郵遞區號 310401。`,
    code: null,
    link: null,
  },
  {
    name: '推薦碼',
    subject: '推薦好友，各得100元',
    html: `<p>您的推薦碼</p><h2>LIN4471</h2><p>好友註冊時填寫，雙方各得100元購物金。</p>`,
    code: null,
    link: null,
  },
  {
    name: '表頭下的認證碼',
    subject: '選課系統臨時登入',
    html: `<table><tr><th>學號</th><th>認證碼</th></tr><tr><td>330718</td><td>175840</td></tr></table>`,
    text: `學號：330718
認證碼：175840`,
    code: '175840',
    link: null,
  },
  {
    name: '說明在後',
    subject: '晨曦咖啡烘焙',
    html: `<p style="font-size:36px">10 26 93</p><p>App 會問您這組數字，十五分鐘內有效。</p>`,
    code: '102693',
    link: null,
  },
  {
    name: '抄表',
    subject: '自報度數已受理',
    text: `本期度數：04829
水號：07-30774118-2
謝謝您的配合。`,
    code: null,
    link: null,
  },
]
