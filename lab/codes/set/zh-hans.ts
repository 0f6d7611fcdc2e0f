/** Labelled mails in simplified Chinese. */
import type { LabelledMail } from './entry.ts'

export const mails: LabelledMail[] = [
  {
    name: '验证码在句中',
    subject: '【橙子云盘】登录验证码',
    text: `【橙子云盘】您正在登录，验证码为 618204，5分钟内有效。请勿将验证码告知他人。`,
    code: '618204',
    link: null,
  },
  {
    name: '验证码在前',
    subject: '7092（快跑出行动态码）',
    html: `<p><strong>7092</strong>（动态码），您正在使用邮箱登录快跑出行。如非本人操作，请忽略。</p>`,
    code: '7092',
    link: null,
  },
  {
    name: '大字表格',
    subject: '请验证您的邮箱',
    html: `<div style="color:#333333"><p>尊敬的用户，您好！</p><p>您正在注册<b>青禾课堂</b>帐号，请在页面中填写以下验证码：</p><table width="100%"><tr><td align="center" style="font-size:36px;color:#1677ff;letter-spacing:6px">304 715</td></tr></table><p>有效期30分钟。</p><p style="color:#999999">杭州青禾教育科技有限公司 浙ICP备2026004418号</p></div>`,
    text: `尊敬的用户，您好！

您正在注册青禾课堂帐号，请在页面中填写以下验证码：

304 715

有效期30分钟。`,
    code: '304715',
    link: null,
  },
  {
    name: '银行动态密码',
    subject: '南江银行动态密码',
    text: `尊敬的客户：
您尾号7719的储蓄卡正在向王*明转账人民币12,000.00元，动态密码：55180426。
银行工作人员不会向您索要动态密码。如有疑问请致电95500。
2026年11月23日 08:14`,
    code: '55180426',
    link: null,
  },
  {
    name: '字母数字',
    subject: '设备激活',
    text: `请在电视上打开“绑定设备”，输入激活码：

  TK8W3Z

设备序列号：SN20260088412
小麦影音客服 400-555-0108`,
    html: `<p>请在电视上打开“绑定设备”，输入激活码：</p><h2 style="color:#d4380d">TK8W3Z</h2><p>设备序列号：SN20260088412<br>小麦影音客服 400-555-0108</p>`,
    code: 'TK8W3Z',
    link: null,
  },
  {
    name: '找回密码',
    subject: '找回密码',
    text: `你好，阿杰：

有人申请重置你的密码（帐号 30418827）。如果是你本人，请把 49 30 61 填到找回密码页面；如果不是，什么都不用做。

—— 豆角社区`,
    code: '493061',
    link: null,
  },
  {
    name: '全角数字',
    subject: '邮箱绑定校验',
    html: `<p>校验码：<span style="font-size:24px">１９８４０２</span></p><p>请于十分钟内输入，过期作废。</p><p>办件编号：330106-2026-0081</p>`,
    code: '198402',
    link: null,
  },
  {
    name: '验证码和登录链接',
    subject: '登录石墨白板',
    html: `<p>点击按钮即可登录：</p><p><a href="https://baiban.example/sso/mail?tk=8b0c7f&amp;uid=20418">立即登录</a></p><p>或者在登录页输入验证码 <b>K2P9XV</b>。</p><p><a href="https://baiban.example/unsubscribe/20418">退订</a></p>`,
    text: `点击链接即可登录：
https://baiban.example/sso/mail?tk=8b0c7f&uid=20418

或者在登录页输入验证码 K2P9XV。`,
    code: 'K2P9XV',
    link: 'https://baiban.example/sso/mail?tk=8b0c7f&uid=20418',
  },
  {
    name: '中英双语',
    subject: '验证码 Verification Code',
    text: `您的验证码是：83017
Your verification code is: 83017

请在15分钟内使用。Please use it within 15 minutes.
白鹭航空 订单号 784-2204417733`,
    code: '83017',
    link: null,
  },
  {
    name: '政务平台',
    subject: '政务服务平台身份核验',
    html: `<table border="1"><tr><td>事项编号</td><td>11330000002482913A</td></tr><tr><td>申请人</td><td>李**</td></tr><tr><td>核验码</td><td>006 481</td></tr><tr><td>有效期至</td><td>2026-11-23 09:00</td></tr></table>`,
    code: '006481',
    link: null,
  },
  {
    name: '快递',
    subject: '您的快递已发出',
    text: `您购买的商品已发货。
订单号：20261122884103
快递单号：XT5502918834417
预计送达：11月25日
收货地址邮编：310012`,
    html: `<p>您购买的商品已发货。</p><ul><li>订单号：20261122884103</li><li>快递单号：XT5502918834417</li></ul><p><a href="https://kuaidi.example/q?n=XT5502918834417">查看物流</a></p>`,
    code: null,
    link: null,
  },
  {
    name: '优惠码',
    subject: '双12提前购，优惠码DOUBLE12已到账',
    html: `<div style="background:#ff4d4f;color:#ffffff"><h1>满200减50</h1><p>结算时输入优惠码</p><p style="font-size:42px">DOUBLE12</p><a href="https://maimai-shop.example/1212?ch=118204">马上抢</a></div><p>活动截止12月12日24:00。<a href="https://maimai-shop.example/td/4418">退订</a></p>`,
    code: null,
    link: null,
  },
  {
    name: '短信验证码',
    subject: '安全验证',
    text: `我们已向您的手机 138****4417 发送了6位短信验证码，请在页面上输入该验证码完成操作。

如未收到，请60秒后重新获取，或致电400-555-0120。`,
    code: null,
    link: null,
  },
  {
    name: '退税诈骗',
    subject: '884102',
    text: `【个税退税通知】您有一笔1,884.10元退税待领取，编号884102，请于24小时内登录 https://tuishui-lq.example/884102 办理，逾期作废。`,
    code: null,
    link: null,
  },
  {
    name: '防骗提醒',
    subject: '谨防冒充客服诈骗',
    html: `<p>近期有不法分子冒充客服，以“注销校园贷”为由索要短信验证码。<b>南江银行绝不会向您索要密码、验证码。</b></p><p>反诈热线：96110　公告〔2026〕118号</p>`,
    code: null,
    link: null,
  },
  {
    name: '激活邮箱链接',
    subject: '激活您的帐号',
    html: `<p>您好，感谢注册慢生活论坛。</p><p>请点击以下链接完成激活：</p><p><a href="https://bbs.manshenghuo.example/activate.php?uid=40417&amp;hash=f0c1d9">https://bbs.manshenghuo.example/activate.php?uid=40417&amp;hash=f0c1d9</a></p><p>链接48小时内有效。</p>`,
    text: `您好，感谢注册慢生活论坛。

请点击以下链接完成激活：
https://bbs.manshenghuo.example/activate.php?uid=40417&hash=f0c1d9

链接48小时内有效。`,
    code: null,
    link: 'https://bbs.manshenghuo.example/activate.php?uid=40417&hash=f0c1d9',
  },
  {
    name: '重置密码链接',
    subject: '重置密码',
    text: `您在 2026-11-23 08:14 申请了重置密码。请打开下面的地址设置新密码：

https://u.qinghe.example/reset/9c71e0b4?v=3

如非本人操作，请联系客服（工号 8814）。帮助中心：https://u.qinghe.example/help`,
    code: null,
    link: 'https://u.qinghe.example/reset/9c71e0b4?v=3',
  },
  {
    name: '异地登录',
    subject: '异地登录提醒',
    html: `<p>您的帐号于2026年11月22日23:18在<b>成都</b>登录，IP：203.0.113.206。</p><p>如非本人操作，请立即<a href="https://safe.chengzi.example/freeze?a=118827">冻结帐号</a>。</p>`,
    text: `您的帐号于2026年11月22日23:18在成都登录，IP：203.0.113.206。
如非本人操作，请立即冻结帐号：https://safe.chengzi.example/freeze?a=118827`,
    code: null,
    link: null,
  },
  {
    name: '电子发票',
    subject: '您有一张电子发票',
    text: `发票代码：033002600111
发票号码：48291307
校验码：71930 44182 00917 55308
开票日期：2026年11月22日
金额：￥268.00

下载：https://fapiao.example/d/48291307`,
    code: null,
    link: null,
  },
  {
    name: '验证码过期',
    subject: '验证码已失效',
    text: `您10分钟前获取的验证码 774209 已过期，无法继续使用。请返回页面重新获取。`,
    html: `<p>您10分钟前获取的验证码 <s>774209</s> 已过期，无法继续使用。请返回页面重新获取。</p>`,
    code: null,
    link: null,
  },
  {
    name: '工单',
    subject: '工单#660418已受理',
    html: `<p>您反馈的“收不到验证码”问题已受理，工单号 <b>660418</b>，预计24小时内回复。</p><p style="color:#8c8c8c">跟踪编号 7f3c9a1144d2</p>`,
    code: null,
    link: null,
  },
  {
    name: '订单号与验证码同长',
    subject: '订单551820修改地址',
    html: `<p>您正在修改订单 <b>551820</b> 的收货地址。</p><p>验证码：<b>206913</b></p><p>客户编号 118204</p>`,
    text: `您正在修改订单 551820 的收货地址。

验证码：206913

客户编号 118204`,
    code: '206913',
    link: null,
  },
  {
    name: '逐格数字',
    subject: '家长注册',
    html: `<p>请把下面的数字填入小程序：</p><p><span style="border:1px solid #336655">9</span><span style="border:1px solid #336655">4</span><span style="border:1px solid #336655">0</span><span style="border:1px solid #336655">1</span></p><p>育才小学 二年级3班</p>`,
    code: '9401',
    link: null,
  },
  {
    name: '临时密码',
    subject: '供应商平台临时密码',
    text: `各供应商：首次登录请使用临时密码 hT64wKq9（区分大小写），登录后请立即修改。供应商代码 7000418。`,
    code: 'hT64wKq9',
    link: null,
    kind: 'password',
  },
  {
    name: '激活借书证',
    subject: '激活您的借书证',
    html: `<p>借书证号 0048291 已办好，<a href="https://tushuguan.example/jihuo?z=48291&amp;k=c7e0">点此激活</a>。</p><p><a href="https://tushuguan.example/kaifang">开放时间</a></p>`,
    code: null,
    link: 'https://tushuguan.example/jihuo?z=48291&k=c7e0',
  },
  {
    name: '其他代码',
    subject: '错误代码40312',
    html: `<p>扫描条形码 6901234567892 时出现错误代码 40312。邮政编码 310012，统一社会信用代码 91330100MA2B0482X7。</p>`,
    text: `扫描条形码 6901234567892 时出现错误代码 40312。邮政编码 310012，统一社会信用代码 91330100MA2B0482X7。`,
    code: null,
    link: null,
  },
  {
    name: '邀请码',
    subject: '邀请好友，各得20元',
    html: `<p>您的邀请码：<b>AJIE4471</b></p><p>好友注册时填写，双方各得20元红包。</p>`,
    code: null,
    link: null,
  },
  {
    name: '表头下的口令',
    subject: '教务系统一次性登录',
    html: `<table><tr><th>学号</th><th>动态口令</th><th>有效期</th></tr><tr><td>330718</td><td>584017</td><td>09:15前</td></tr></table>`,
    text: `学号：330718
动态口令：584017
有效期：09:15前`,
    code: '584017',
    link: null,
  },
  {
    name: '抄表',
    subject: '电表读数已登记',
    text: `本期读数：048291
户号：3077411820
感谢您的配合。`,
    code: null,
    link: null,
  },
]
