/** Labelled mails in Korean. */
import type { LabelledMail } from './entry.ts'

export const mails: LabelledMail[] = [
  {
    name: '대괄호 인증번호',
    subject: '[다온마켓] 인증번호 안내',
    text: `[다온마켓] 인증번호 [731908]를 입력해 주세요.

타인에게 절대 알려주지 마세요. (유효시간 3분)`,
    code: '731908',
    link: null,
  },
  {
    name: '제목에 코드',
    subject: '4026은(는) 회원님의 모두톡 로그인 코드입니다',
    html: `<p>모두톡 로그인을 완료하려면 아래 코드를 입력하세요.</p><h1>4026</h1><p style="color:#767676">본인이 요청하지 않았다면 이 메일을 무시하세요.</p>`,
    text: `모두톡 로그인을 완료하려면 아래 코드를 입력하세요.

4026

본인이 요청하지 않았다면 이 메일을 무시하세요.`,
    code: '4026',
    link: null,
  },
  {
    name: '은행 일회용 비밀번호',
    subject: '이체 확인을 위한 일회용 비밀번호',
    html: `<p>고객님, 안녕하세요. 한빛저축은행입니다.</p><table><tr><td>이체금액</td><td>1,500,000원</td></tr><tr><td>입금계좌</td><td>110-***-418827</td></tr><tr><td>일회용 비밀번호</td><td style="color:#003399">66 41 80 93</td></tr></table><p>은행 직원은 비밀번호를 묻지 않습니다. 고객센터 1588-0555</p>`,
    code: '66418093',
    link: null,
  },
  {
    name: '문장 속 코드',
    subject: '이메일 주소를 확인해 주세요',
    text: `안녕하세요, 지민님!

가입을 마치려면 가입 화면에 확인 코드 508 274 를 넣어 주세요. 30분이 지나면 다시 받으셔야 해요.

느린우체국 드림
사업자등록번호 482-91-30774`,
    code: '508274',
    link: null,
  },
  {
    name: '영문 숫자 조합',
    subject: 'TV 연결하기',
    text: `휴대폰에서 tv.noeul.example/pair 에 접속한 뒤 다음 코드를 입력하세요.

WQ3-8LT

(하이픈 포함, 대소문자 구분 없음)
셋톱박스 번호 8840-2213-77`,
    html: `<p>휴대폰에서 <b>tv.noeul.example/pair</b> 에 접속한 뒤 다음 코드를 입력하세요.</p><div style="font-size:32px;background:#f0f5ff">WQ3-8LT</div><p>(하이픈 포함, 대소문자 구분 없음)</p>`,
    code: 'WQ3-8LT',
    link: null,
  },
  {
    name: '비밀번호 재설정 코드',
    subject: '비밀번호 찾기',
    html: `<p>비밀번호를 잊으셨나요?</p><p>비밀번호 찾기 화면에 <strong style="color:#e8590c">19273</strong> 을 입력하시면 새 비밀번호를 설정하실 수 있습니다.</p><p>회원번호 20418, 요청 시각 2026-11-23 08:14</p>`,
    code: '19273',
    link: null,
  },
  {
    name: '코드와 로그인 링크',
    subject: '모아노트 로그인',
    html: `<p><a href="https://moanote.example/signin/link?key=70ce81&amp;s=web">모아노트에 로그인하기</a></p><p>다른 기기라면 코드 <b>R5X8KD</b>를 입력하세요.</p><p><a href="https://moanote.example/reject/4418">수신거부</a></p>`,
    text: `모아노트에 로그인하기:
https://moanote.example/signin/link?key=70ce81&s=web

다른 기기라면 코드 R5X8KD를 입력하세요.`,
    code: 'R5X8KD',
    link: 'https://moanote.example/signin/link?key=70ce81&s=web',
  },
  {
    name: '한영 병기',
    subject: '인증코드 / Verification code',
    text: `인증코드: 904-816
Verification code: 904-816

호텔 은하수 / Hotel Milky Way
예약번호 Reservation no. 7720441`,
    code: '904816',
    link: null,
  },
  {
    name: '관공서',
    subject: '온라인 민원 본인확인번호',
    text: `접수번호: 2026-4113-0088217
민원인: 김*수

본인확인번호: 003865

민원 신청 화면에 위 번호를 10분 이내에 입력하시기 바랍니다.
솔빛시청 민원봉사과 (031-555-0120)`,
    code: '003865',
    link: null,
  },
  {
    name: '칸마다 숫자',
    subject: '거의 다 됐어요!',
    html: `<p>아래 숫자를 앱에 적어 주세요.</p><table><tr><td style="border:2px solid #12b886">2</td><td style="border:2px solid #12b886">8</td><td style="border:2px solid #12b886">8</td><td style="border:2px solid #12b886">1</td><td style="border:2px solid #12b886">5</td><td style="border:2px solid #12b886">7</td></tr></table><p>맛집탐험대 · 서울시 마포구 양화로 118, 04417</p>`,
    code: '288157',
    link: null,
  },
  {
    name: '주문 완료',
    subject: '주문이 완료되었습니다 (주문번호 20261123-0048291)',
    html: `<p>주문번호 <b>20261123-0048291</b></p><table><tr><td>머그컵 2개</td><td>24,000원</td></tr><tr><td>배송비</td><td>3,000원</td></tr></table><p><a href="https://geureut.example/order/0048291">주문 상세보기</a></p>`,
    text: `주문번호 20261123-0048291
머그컵 2개 24,000원
배송비 3,000원
https://geureut.example/order/0048291`,
    code: null,
    link: null,
  },
  {
    name: '할인 쿠폰',
    subject: '(광고) 쿠폰번호 WINTER7000 지금 등록하세요',
    html: `<div style="background:#364fc7;color:#ffffff"><h1>7,000원 할인</h1><p>결제 시 쿠폰번호를 입력하세요</p><p style="font-size:38px">WINTER7000</p><a href="https://otjang.example/ev/1123">쇼핑하기</a></div><p>~2026.12.31까지. <a href="https://otjang.example/ev/off?i=88120">무료수신거부</a> 080-555-0133</p>`,
    code: null,
    link: null,
  },
  {
    name: '문자로 보낸 번호',
    subject: '2단계 인증 안내',
    text: `010-****-4417 번호로 인증번호 6자리를 문자로 보내드렸습니다. 화면에 입력해 주세요.

문자가 오지 않으면 스팸함을 확인하시거나 1544-0555로 문의해 주세요.`,
    code: null,
    link: null,
  },
  {
    name: '택배 사기',
    subject: '662018',
    text: `[택배] 주소 불명으로 배송이 보류되었습니다. 송장번호 662018 주소 확인: https://juso-hwagin.example/662018 미확인 시 24시간 후 반송`,
    code: null,
    link: null,
  },
  {
    name: '피싱 주의',
    subject: '보이스피싱 주의 안내',
    html: `<p>최근 ‘인증번호 441820’과 같은 제목의 사칭 메일이 늘고 있습니다.</p><p><b>한빛저축은행은 인증번호나 비밀번호를 요구하지 않습니다.</b></p><p>신고: 112, 1332</p>`,
    text: `최근 ‘인증번호 441820’과 같은 제목의 사칭 메일이 늘고 있습니다.

한빛저축은행은 인증번호나 비밀번호를 요구하지 않습니다.

신고: 112, 1332`,
    code: null,
    link: null,
  },
  {
    name: '이메일 인증 링크',
    subject: '이메일 인증을 완료해 주세요',
    text: `안녕하세요. 책갈피입니다.

아래 링크를 눌러 이메일 인증을 완료해 주세요. (24시간 유효)
https://bookmark-kr.example/verify-mail/33c0a-8817

본인이 가입하지 않았다면 고객센터로 알려주세요: https://bookmark-kr.example/cs`,
    code: null,
    link: 'https://bookmark-kr.example/verify-mail/33c0a-8817',
  },
  {
    name: '비밀번호 재설정 링크',
    subject: '비밀번호 재설정',
    html: `<p>고객님께서 비밀번호 재설정을 요청하셨습니다.</p><p><a href="https://my.dodamgas.example/pw/new?auth=c5d0e2&amp;no=118" style="background:#e03131">비밀번호 재설정</a></p><p>고객번호 1004-4418-27</p>`,
    text: `비밀번호 재설정 링크입니다.
https://my.dodamgas.example/pw/new?auth=c5d0e2&no=118
고객번호 1004-4418-27`,
    code: null,
    link: 'https://my.dodamgas.example/pw/new?auth=c5d0e2&no=118',
  },
  {
    name: '새로운 기기',
    subject: '새로운 기기에서 로그인되었습니다',
    html: `<p>2026년 11월 22일 오후 11:31, 부산, 203.0.113.44</p><p>본인이 아니라면 <a href="https://id.modutalk.example/lock/20417">계정을 보호하세요</a>.</p>`,
    code: null,
    link: null,
  },
  {
    name: '요금 청구서',
    subject: '11월 통신요금 청구서',
    text: `청구번호  1126-0048-2913
납부금액  38,500원
납기일    2026.12.05
가상계좌  한빛저축은행 5620-18-330417
전자납부번호 2204417`,
    html: `<table><tr><td>청구번호</td><td>1126-0048-2913</td></tr><tr><td>납부금액</td><td>38,500원</td></tr><tr><td>전자납부번호</td><td>2204417</td></tr></table>`,
    code: null,
    link: null,
  },
  {
    name: '만료된 번호',
    subject: '인증번호가 만료되었습니다',
    text: `요청하신 인증번호 550172의 입력 시간이 지났습니다. 로그인 화면에서 인증번호를 다시 받아 주세요.`,
    code: null,
    link: null,
  },
  {
    name: '예매 확인',
    subject: '[별빛극장] 예매 내역',
    html: `<p>예매번호 <b>T1184-0927-33</b></p><p>2026.12.04(금) 19:30 / 3관 / H열 12번</p><p>결제금액 28,000원 · 승인번호 30884102</p>`,
    code: null,
    link: null,
  },
  {
    name: '주문번호와 같은 길이',
    subject: '주문 551820 배송지 변경',
    html: `<p>주문 <b>551820</b>의 배송지를 변경하시려면 본인 확인이 필요합니다.</p><p>확인 코드: <b>920364</b></p><p>고객번호 118204</p>`,
    text: `주문 551820의 배송지를 변경하시려면 본인 확인이 필요합니다.

확인 코드: 920364

고객번호 118204`,
    code: '920364',
    link: null,
  },
  {
    name: '임시 비밀번호',
    subject: '임시 비밀번호 발급 안내',
    text: `협력사 담당자님, 임시 비밀번호는 rW57kTn3 입니다. (대소문자 구분) 로그인 후 바로 변경해 주세요. 협력사 코드 7000418`,
    code: 'rW57kTn3',
    link: null,
    kind: 'password',
  },
  {
    name: '회원증 활성화',
    subject: '도서관 회원증을 활성화해 주세요',
    html: `<p>회원증 0048291이 발급되었습니다. <a href="https://doseogwan.example/activate?no=48291&amp;k=0c7e">여기</a>를 눌러 활성화하세요.</p><p><a href="https://doseogwan.example/hours">이용시간</a></p>`,
    code: null,
    link: 'https://doseogwan.example/activate?no=48291&k=0c7e',
  },
  {
    name: '다른 코드',
    subject: '오류 코드 40312 문의',
    html: `<p>바코드 8801234567893 을 읽을 때 오류 코드 40312 가 나옵니다. 지점 코드 0118, 우편번호 04417.</p>`,
    text: `바코드 8801234567893 을 읽을 때 오류 코드 40312 가 나옵니다. 지점 코드 0118, 우편번호 04417.`,
    code: null,
    link: null,
  },
  {
    name: '추천인 코드',
    subject: '친구 초대하고 5,000원 받기',
    html: `<p>나의 추천인 코드</p><h2>JIMIN447</h2><p>친구가 가입할 때 입력하면 두 분 모두 5,000원을 드려요.</p>`,
    code: null,
    link: null,
  },
  {
    name: '열 제목 아래의 번호',
    subject: '학생 포털 임시 접속',
    html: `<table><tr><th>학번</th><th>보안코드</th></tr><tr><td>330718</td><td>758401</td></tr></table>`,
    text: `학번: 330718
보안코드: 758401`,
    code: '758401',
    link: null,
  },
  {
    name: '설명이 뒤에',
    subject: '로스터리 새벽',
    text: `93-10-26

앱에서 물어보는 번호입니다. 15분 안에 입력해 주세요.`,
    code: '931026',
    link: null,
  },
  {
    name: '검침',
    subject: '자가검침 접수 완료',
    text: `지침값: 048291
계량기 번호: 30774118
고객번호: 0482913077`,
    code: null,
    link: null,
  },
]
