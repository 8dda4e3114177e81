/** Many combining marks on a letter: a tower, upwards, downwards or both. */
const up = '\u0301\u0306\u030a\u0311\u0352\u0357'
const down = '\u0316\u0324\u0329\u0330\u0347\u0356'

const words = (line: string) => line.split(' ')

/**
 * Texts that would have an effect, or break something, if they are not treated as plain text. One list for every place where a text of
 * a user is shown, written or sent.
 */
const kinds = {
  markup: [
    ...words(
      '<script>alert(1)</script> </script><script>alert(1)</script> <svg><style>*{display:none}</style></svg> <button>Run</button> & <',
    ),
    ...words(
      '<style>*{color:red}</style> <textarea> </title><title> </svg><h1>out</h1> &lt;b&gt;bold&lt;/b&gt; \uff1cscript\uff1ealert(1)\uff1c/script\uff1e',
    ),
    '<img src=x onerror=alert(1)>',
    '<svg onload=alert(1)>',
    '<math><mi xlink:href="javascript:alert(1)">',
    '<iframe src="https://evil.example/">',
    '<object data="https://evil.example/"></object>',
    '<a href="javascript:alert(1)">Run</a>',
    '<link rel=stylesheet href=//evil.example>',
    '<base href="https://evil.example/">',
    '<meta http-equiv=refresh content="0;url=//evil.example">',
    '<template shadowrootmode=open>',
    '"><b onmouseover=alert(1)>',
    "' autofocus onfocus='alert(1)",
    '<!-- never closed',
    '--> <!--',
    ']]> <![CDATA[',
    '<?xml version="1.0"?>',
    '<!DOCTYPE x [<!ENTITY a "b">]>&a;',
    '&#x3C;b&#x3E; &nbsp; &amp;amp;',
  ],
  address: [
    ...words(
      'javascript:alert(document.domain) data:text/html,<script>alert(1)</script> https://evil.example/beacon.png //evil.example/',
    ),
    ...words('blob:https://evil.example/1 #json={"version":1} ?embed&hide=run %3Cscript%3E%00%0d%0aSet-Cookie:a=b'),
  ],
  style: [
    '@import "//evil.example";',
    ...words(
      'url(https://evil.example/a.css) expression(alert(1)) }*{background:url(//evil.example)} red;position:fixed;inset:0 var(--accent)',
    ),
  ],
  template: [
    '{name}',
    '{n, plural, one {# job} other {# jobs}}',
    '{n, plural, other {',
    "'{'quoted'}' it''s",
    '<worker></worker> <stage></stage>',
    '</stage>',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a text, and no template
    '${alert(1)} #{7*7}',
    '{{7*7}} {%raw%} <%= 7*7 %>',
    '{{constructor.constructor("alert(1)")()}}',
    '%s %d %n %1$s %%',
    '$& $1 $` $$ \\1',
    '.*(a+)+$ [^]{1,} (?<x>',
    '\\u0041 \\n \\" \\',
    '`rm -rf /` $(reboot) ; && ||',
  ],
  prototype: [
    '[object Object]',
    ...words('__proto__ constructor prototype toString hasOwnProperty valueOf undefined null NaN true 0 -1'),
  ],
  sheet: [
    '=cmd|"/C calc"!A0',
    '=HYPERLINK("https://evil.example","Click")',
    '+1+1',
    '-2+3+cmd',
    '@SUM(1+1)',
    "'=1+1",
    'a,b;c',
    '"',
    '""quoted""',
    '"=1+1"',
  ],
  markdown: [
    ...words(
      '](javascript:alert(1)) [a](https://evil.example) ![a](https://evil.example/a.png) <https://evil.example> \\](x)',
    ),
    ...['`code` ```fence', 'a | b | c', '# heading', '**bold** __x__ ~~gone~~', '$x^2$ @someone :smile: #1'],
  ],
  file: [
    'a:b*c?d"e<f>g|h',
    ' spaces ',
    ...words('../../etc/passwd ..\\..\\windows\\win.ini / . .. .htaccess con NUL COM1 aux.txt name.exe'),
  ],
  direction: [
    'שלום עולם',
    'مرحبا بالعالم',
    'abc אבג 123',
    'אבג (3) !',
    '\u0627\u0644\u062a\u062d\u0642\u0642: 12, 34',
    '\u200f\u200e\u061c',
    '\u200fRun',
    '\u07c0\u07c1\u07c2',
    '\u{1e900}\u{1e901}\u{10800}',
    '\u202egnp.exe\u202c',
    '\u2067right to left\u2069',
    '\u202bnever closed',
    '\u2066\u2068\u2069\u2069\u2069',
  ],
  tower: [
    `T${up.repeat(6)}ower`,
    `D${down.repeat(6)}epth`,
    [...'Both'].map((letter) => letter + (up + down).slice(0, 10)).join(''),
    `a${'\u0301'.repeat(78)}`,
    `g${'\u0330'.repeat(78)}`,
    `x${'\u0489\u20dd\u20e0'.repeat(10)}`,
    '\u0301\u0301\u0301 first',
    `\u0e01${'\u0e49'.repeat(30)}`,
    `\u0f40${'\u0f74\u0f90'.repeat(20)}`,
  ],
  unseen: [
    ...words(
      'zero\u200bwidth\u200c\u200d\u2060 \u200b \ufffe \uffff \u{1fffe}\u{10ffff} \ufdd0 \ue000\uf8ff \u3164 \u00a0\u2003\u3000 \u{e0041}\u{e0042}',
    ),
    ...words(
      'a\u180eb\ufff9c\ufffad\ufffb a\u0000b a\u0007\u001b[31mred\u001b[0m a\u0085b\u009bc \u2028\u2029 \ud800 a\udfffb \ude00\ud83d',
    ),
    ...['\ufeffmark of order', '\u00ad'.repeat(20), 'line\nbreak', 'line\r\nbreak\ttab'],
  ],
  drawn: [
    '👩‍👩‍👧‍👦'.repeat(7),
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿🏳️‍🌈',
    '👋🏿🇩🇪🇩',
    '❤️\ufe0e\ufe0f',
    '𝕽𝖚𝖓 Ｒｕｎ',
    '\ufdfd'.repeat(20),
    '\u{12031}\u{1242b}\u2e3b',
    'ﷺ'.repeat(10),
    'Ｗ'.repeat(80),
    'W'.repeat(80),
    'W '.repeat(40),
    'İıſẞß'.repeat(10),
    '漢字'.repeat(40),
    'ꦁ꧄꧄'.repeat(20),
  ],
  long: ['x'.repeat(81), 'a\u0301'.repeat(300), '\u202e'.repeat(1000), '<b>'.repeat(400_000), 'x'.repeat(1_000_000)],
} as const

/** No name has one of these: control characters, lone surrogates, line ends, characters that change the direction. */
export const controls = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** By target. */
export const hostileKinds: Readonly<Record<string, readonly string[]>> = kinds
export const hostileTexts: readonly string[] = Object.values(kinds).flat()
/** Those that may be a name of 80 characters; the others are refused with a message. */
export const hostileNames = hostileTexts.filter(
  (text) => text.trim() !== '' && [...text].length <= 80 && !controls.test(text),
)
export const refusedNames = hostileTexts.filter((text) => !hostileNames.includes(text))
