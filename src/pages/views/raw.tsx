/** HTML that page-html.ts has made safe. */
export function Prose({ html }: { html: string }) {
  return <div class="k-prose" dangerouslySetInnerHTML={{ __html: html }} />;
}

/** A script block of data, which no text in it can end. */
export function LinkedData({ value }: { value: object }) {
  const json = JSON.stringify(value).replaceAll('<', '\\u003c');
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}
