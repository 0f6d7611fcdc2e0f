import type { CodeLanguage } from '../code-language.ts'

export const tr: CodeLanguage = {
  hints: ['kod', '[sş]ifre', 'do[gğ]rula'],
  sure: [
    String.raw`(?:do[gğ]rulama|g[uü]venlik|onay|giri[sş]|aktivasyon|etkinle[sş]tirme|kimlik do[gğ]rulama|kurtarma|s[iı]f[iı]rlama|eri[sş]im) kod\p{L}{0,6}`,
    String.raw`tek kullan[iı]ml[iı]k (?:[sş]ifre|kod|parola)\p{L}{0,6}|ge[cç]ici (?:[sş]ifre|kod)\p{L}{0,6}`,
  ],
  other: [
    String.raw`(?:indirim|promosyon|kampanya|hediye|posta|barkod|qr|m[uü][sş]teri|[uü]r[uü]n|hata|davet|kargo|takip|rezervasyon|kupon|teslimat) kod\p{L}{0,6}`,
    String.raw`kart[iı]n[iı]z[iı]n (?:pin|[sş]ifre)\p{L}{0,4}`,
  ],
  bare: ['kod', 'kodu', 'kodunuz', 'kodunu', 'kodun', '[sş]ifre', '[sş]ifreniz', 'pin'],
  identity: ['giri[sş] yap|oturum a[cç]|do[gğ]rula|onayla|[sş]ifre|kimli[gğ]|tek kullan|ge[cç]erli|payla[sş]may|s[uü]resi'],
  yours: ['sizin', 'bu', 'a[sş]a[gğ][iı]daki', 'i[sş]te', 'girin', 'kullan[iı]n', 'kodunuz', 'kodun'],
  is: ['olarak'],
  isYour: ['kodunu|kodu ile|(?:sizin )?(?:do[gğ]rulama|g[uü]venlik|giri[sş]|onay|tek kullan)'],
  enter: ['kodunuz olarak'],
  to: ['ile', 'kodunu', 'kodu'],
  purposes: ['giri[sş]', 'do[gğ]rula', 'onayla', 'tamamla', 'devam', 'etkinle[sş]', 's[iı]f[iı]rla'],
  shop: ['indirim|kampanya|[uü]cretsiz kargo|kupon|f[iı]rsat|hediye'],
  labels: [
    'sipari[sş]|sipari[sş] (?:no|numaras[iı])|fatura|fatura (?:no|numaras[iı])|m[uü][sş]teri (?:no|numaras[iı])|kargo|takip (?:no|numaras[iı])|rezervasyon|hesap|tutar|tel|telefon|dosya (?:no|numaras[iı])|referans|kart',
  ],
  files: ['kargo|g[oö]nderi|paket|g[uü]mr[uü]k|iade|vergi|ceza|fatura|dosya|kart[iı]'],
}
