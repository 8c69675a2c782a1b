import type { ComponentChildren } from 'preact';
import type { Frame, PageHead } from '../frame.js';
import { Head } from '../shell.js';

interface Embed {
  readonly frame: Frame;
  readonly head: PageHead;
  readonly theme: 'auto' | 'light' | 'dark';
  readonly script: string;
  readonly children: ComponentChildren;
}

/** A page for a frame in another page: without header and footer, links open outside the frame. */
export function EmbedPage({ frame, head, theme, script, children }: Embed) {
  return (
    <html lang={frame.words.language} dir="ltr" data-theme={theme === 'auto' ? undefined : theme}>
      <Head frame={frame} head={head}>
        <base target="_top" />
        <script src={script} defer></script>
      </Head>
      <body class="k-embed">
        <main>
          <h1 class="k-hidden">{head.title}</h1>
          {children}
          <p class="k-pager">
            <a href={frame.link('/')}>{`${frame.words.of('embedAll', { name: frame.siteName })} →`}</a>
          </p>
        </main>
      </body>
    </html>
  );
}
