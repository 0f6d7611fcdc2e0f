import { type CodeLanguage, words } from '../code-language.ts'

/** Indonesian and Malay. */
export const id: CodeLanguage = {
  hints: words`kode|kod[ ]|sandi|verifikasi|pengesahan|masuk\b`,
  sure: words`
    (?:kode|kod|sandi|nomor|pin) (?:verifikasi|pengesahan|keamanan|keselamatan|konfirmasi|masuk|log ?masuk|log ?in|otentikasi
      |autentikasi|otorisasi|aktivasi|akses|otp|sekali pakai|sementara|registrasi|pendaftaran|pemulihan|reset|persetujuan)
    kata sandi (?:sekali pakai|sementara)|(?:kode|kod|angka) (?:4|5|6|8|empat|lima|enam|delapan) (?:digit|angka)
    (?:kode|kod) untuk (?:masuk|login|verifikasi|konfirmasi|mengonfirmasi|memverifikasi)
  `,
  other: words`
    kode (?:pintu|gerbang|loker|wi-?fi|alarm)
    kod[e]? (?:voucher|promo|diskon|kupon|booking|pemesanan|pos|qr|batang|bar|pengambilan|pelanggan|referral|undangan|pembayaran|bayar
      |resi|pelacakan|produk|kesalahan|error|pajak|billing|transaksi|hadiah|unik|pesanan|tiket|cabang|bank|negara|area)
    pin (?:kartu|atm)
  `,
  bare: words`kode|kodenya|kod|pin`,
  identity: words`
    proses masuk|verifikasi|konfirmasi|kata sandi|untuk masuk|masuk ke|log ?in|identitas|berlaku|kedaluwarsa
    jangan (?:berikan|bagikan|beri ?tahu)|rahasia|aktivasi|akun anda|daftar
  `,
  yours: words`anda|kamu|ini|berikut|masukkan|gunakan|ketik`,
  is: words`adalah|ialah|ini`,
  isYour: words`(?:adalah|ialah)`,
  enter: words`(?:masukkan|gunakan|ketik|pakai)(?: kode)?`,
  to: words`untuk|di|ke|pada`,
  purposes: words`menyetujui|otorisasi|masuk|verifikasi|konfirmasi|melanjutkan|aktiv|menyelesaikan|reset|log|daftar`,
  shop: words`diskon|voucher|kupon|promo|checkout|keranjang|gratis ongkir|hadiah|cashback|belanja`,
  labels: words`
    pesanan|faktur|invoice|tagihan|nomor (?:pesanan|pelanggan|resi|rekening|telepon|tiket|kontrak)
    no\.? (?:resi|pesanan|pelanggan|rekening)|id pelanggan|resi|rekening|telepon|telp|hotline|total|jumlah|kursi|gerbong|kontrak|npwp
  `,
  files: words`paket|kurir|resi|bea cukai|pajak|denda|tagihan|kartu|pengembalian dana|pengiriman|meteran|token listrik`,
  doors: words`pintu|gerbang|loker|kunci|wi-?fi`,
  told: words`tunjukkan|perlihatkan|kurir|pengemudi|petugas pengantar`,
  enters: words`masukkan|ketik|tempel|salin|isikan`,
  places: words`(?:aplikasi|halaman|formulir|situs|layar|kolom|jendela|pengaturan|browser|peramban|portal)`,
  digits: words`digit|angka|karakter|huruf`,
  numbers: words`digit|angka|nomor|karakter`,
  asks: words`meminta|diminta|menanyakan`,
  expired: words`(?:sudah|telah) (?:kedaluwarsa|kadaluarsa|tidak berlaku)|tidak (?:lagi )?(?:berlaku|dapat digunakan)`,
  fraud: words`penipu|phishing|pesan palsu`,
  bills: words`faktur|tagihan|kuitansi|struk|pembayaran|transfer|pesanan|pembelian|paket|pengiriman|resi\b|pengembalian`,
  warns: words`tidak (?:akan |pernah ){1,2}(?:meminta|menanyakan|menelepon)`,
  three: words`(?:tiga|3) (?:digit|angka)`,
  approves: words`setujui|persetujuan|otorisasi|menandatangani|buktikan`,
  confirms: words`
    konfirmasi(?:kan)?(?! pe)|verifikasi(?:kan)?|aktifkan|aktivasi|atur ulang|reset|(?:buat|ubah|ganti).{0,15}(?:kata )?sandi
    selesaikan.{0,20}(?:daftar|registrasi)|terima undangan|buka kunci|lupa.{0,6}(?:kata )?sandi
  `,
  signsIn: words`masuk\b|login`,
  invites: words`mengundang (?:anda|kamu)|undangan`,
  accepts: words`bergabung|terima`,
  here: words`(?:klik |ketuk )?(?:di sini|disini|tautan ini|link ini|tautan|lanjutkan)`,
  besides: words`
    berhenti berlangganan|privasi|ketentuan|syarat|bantuan|dukungan|laporkan|bukan anda|tidak meminta|pengaturan|pesanan|tagihan|lacak
    paket|pengiriman|denda|bea cukai
  `,
  alerts: words`
    peringatan|perangkat baru|login baru|sandi (?:anda )?(?:telah )?(?:diubah|berubah)|mencurigakan|tidak biasa|penipu|phishing
  `,
  ignored: words`abaikan|tidak perlu (?:melakukan|berbuat)|tak perlu|tidak (?:akan )?terjadi|hapus (?:e-?mail|pesan) ini`,
  lasts: words`(?:tautan|link)\b[^.!?]{0,40}(?:berlaku|kedaluwarsa|kadaluarsa|berfungsi|satu kali|sekali)`,
  nearlyDone: words`(?:satu|selangkah) (?:klik|langkah|lagi)|langkah terakhir|hampir selesai|sedikit lagi`,
  travel: words`penerbangan|hotel|malam|menginap|pemesanan|pesanan|reservasi|booking|kereta`,
}
