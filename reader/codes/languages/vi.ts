import { type CodeLanguage, words } from '../code-language.ts'

export const vi: CodeLanguage = {
  hints: words`mã|mật khẩu|xác (?:thực|minh|nhận)|otp`,
  sure: words`
    (?:mã|mật khẩu|số) (?:xác thực|xác minh|xác nhận|bảo mật|an toàn|đăng nhập|đăng ký|kích hoạt|truy cập|khôi phục|đặt lại|otp
      |dùng một lần|một lần|tạm thời|pin dùng một lần|kiểm tra)
    mã (?:gồm )?(?:4|5|6|8|bốn|năm|sáu|tám) (?:chữ )?số|mã (?:để|dùng để) (?:đăng nhập|xác nhận|xác minh)|otp (?:của|giao dịch)
  `,
  other: words`
    mã (?:cửa|khóa cửa|tủ|wi-?fi)
    mã (?:giảm giá|khuyến mãi|ưu đãi|đơn hàng|vận đơn|đặt chỗ|đặt vé|khách hàng|sản phẩm|bưu chính|bưu điện|vạch|qr|nhận hàng
      |giới thiệu|quà tặng|voucher|coupon|lỗi|số thuế|thanh toán|giao dịch|hợp đồng|hóa đơn|vé|chuyến|học sinh|sinh viên|nhân viên|vùng
      |quốc gia|hồ sơ)
    pin (?:của )?thẻ
  `,
  bare: words`mã|mã số|pin|otp`,
  identity: words`
    xác thực|xác minh|xác nhận|đăng nhập|mật khẩu|danh tính|hiệu lực|hết hạn|không (?:chia sẻ|cung cấp|tiết lộ)|kích hoạt|tài khoản
    đăng ký
  `,
  yours: words`của bạn|của quý khách|này|sau|dưới đây|nhập|sử dụng|dùng`,
  is: words`là|của bạn là|của quý khách là|dưới đây|sau đây`,
  isYour: words`là (?:mã|mật khẩu)`,
  enter: words`(?:nhập|sử dụng|dùng|điền)(?: mã)?`,
  to: words`để|vào|trên|trong`,
  purposes: words`phê duyệt|đăng nhập|xác|hoàn tất|tiếp tục|kích hoạt|đặt lại|đăng ký`,
  shop: words`giảm giá|khuyến mãi|ưu đãi|giỏ hàng|thanh toán đơn|voucher|coupon|miễn phí vận chuyển|quà tặng|bạn bè`,
  labels: words`
    đơn hàng|hóa đơn|số (?:điện thoại|tài khoản|hợp đồng|đơn hàng|vé|hóa đơn|thẻ)|khách hàng|vận đơn|hotline|điện thoại|đt|tổng|số tiền
    ghế|chuyến|mst|cccd|hồ sơ|tổng đài
  `,
  files: words`bưu kiện|gói hàng|đơn hàng|vận đơn|hải quan|thuế|hoàn tiền|phạt|thẻ|hóa đơn|hồ sơ`,
  doors: words`cửa|cổng|tủ|chìa khóa|wi-?fi`,
  told: words`xuất trình|đưa mã|(?:nhân viên giao hàng|shipper|tài xế|bưu tá)`,
  enters: words`nhập|điền|gõ|dán|sao chép`,
  places: words`(?:ứng dụng|trang|biểu mẫu|màn hình|ô|cửa sổ|cài đặt|trình duyệt|website|cổng thông tin)`,
  digits: words`chữ số|ký tự|số sau|dãy số`,
  numbers: words`số|chữ số|ký tự`,
  asks: words`yêu cầu|hỏi`,
  expired: words`đã hết hạn|không còn (?:hiệu lực|sử dụng|dùng)|hết hiệu lực`,
  fraud: words`lừa đảo|giả mạo`,
  bills: words`hóa đơn|biên lai|thanh toán|chuyển khoản|đơn hàng|mua hàng|bưu kiện|giao hàng|vận chuyển|hoàn tiền`,
  warns: words`không (?:bao giờ )?(?:yêu cầu|hỏi|gọi)`,
  three: words`(?:ba|3) (?:chữ )?số`,
  approves: words`phê duyệt|ủy quyền|ký (?:số|tên|giao)`,
  confirms: words`
    xác nhận(?! đơn)|xác minh|kích hoạt|đặt lại|(?:tạo|đổi|đặt).{0,10}mật khẩu|hoàn tất.{0,15}đăng ký|chấp nhận lời mời|mở khóa
    quên mật khẩu
  `,
  signsIn: words`đăng nhập`,
  invites: words`đã mời bạn|lời mời`,
  accepts: words`tham gia|chấp nhận`,
  here: words`(?:nhấp |nhấn |bấm )?(?:vào )?(?:đây|tại đây|liên kết này|liên kết|tiếp tục|có)`,
  besides: words`
    hủy đăng ký|quyền riêng tư|điều khoản|trợ giúp|hỗ trợ|báo cáo|không phải bạn|không yêu cầu|cài đặt|đơn hàng|hóa đơn|theo dõi
    bưu kiện|hoàn tiền|hải quan|phạt
  `,
  alerts: words`cảnh báo|thiết bị mới|đăng nhập mới|mật khẩu (?:đã )?(?:được )?thay đổi|đáng ngờ|bất thường|lừa đảo`,
  ignored: words`bỏ qua|không cần (?:làm|thực hiện)|không có gì (?:xảy|thay)|xóa (?:email|thư) này`,
  lasts: words`(?:liên kết|link|đường dẫn)[^.!?]{0,40}(?:hiệu lực|hết hạn|dùng một lần|một lần)`,
  nearlyDone: words`(?:một|1) (?:bước|cú nhấp)|bước cuối|gần xong|sắp xong`,
  travel: words`chuyến bay|khách sạn|đặt phòng|đặt chỗ|đêm|nhận phòng|vé tàu|vé máy bay`,
}
