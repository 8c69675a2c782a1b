import type { ComponentChildren } from 'preact';
import { MARK_SHAPES } from '../theme/mark.js';
import type { Frame, PageHead } from './frame.js';
import { LinkedData } from './raw.js';

/** The page around its content: head, header, footer. */
export function Shell({ frame, head, children }: { frame: Frame; head: PageHead; children: ComponentChildren }) {
  const { words } = frame;
  return (
    <html lang={words.language} dir="ltr">
      <Head frame={frame} head={head} />
      <body>
        <a class="k-skip" href="#content">
          {words.of('skip')}
        </a>
        <Header frame={frame} view={head.view} />
        <main class="k-wrap" id="content" tabIndex={-1}>
          {children}
        </main>
        <Footer frame={frame} />
      </body>
    </html>
  );
}

/** The head of a page. `children`: what only some pages have. */
export function Head({ frame, head, children }: { frame: Frame; head: PageHead; children?: ComponentChildren }) {
  const { siteName, words } = frame;
  const { title, canonical, description, image, alternates = [] } = head;
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title === siteName ? title : `${title} – ${siteName}`}</title>
      {head.isIndexed === false && <meta name="robots" content="noindex, follow" />}
      {description !== undefined && description !== '' && <meta name="description" content={description} />}
      <link rel="canonical" href={canonical} />
      <meta property="og:type" content={head.isArticle === true ? 'article' : 'website'} />
      <meta property="og:title" content={title} />
      {description !== undefined && description !== '' && <meta property="og:description" content={description} />}
      <meta property="og:url" content={canonical} />
      {image !== undefined && <meta property="og:image" content={image} />}
      <meta property="og:site_name" content={siteName} />
      <meta property="og:locale" content={words.language} />
      <meta name="twitter:card" content="summary" />
      <link rel="icon" href={frame.file('/favicon.svg')} type="image/svg+xml" />
      {frame.css.map((href) => (
        <link rel="stylesheet" href={href} />
      ))}
      <link rel="alternate" type="application/atom+xml" href={frame.atom} title={siteName} />
      {alternates.map(({ type, href, title: name }) => (
        <link rel="alternate" type={type} href={href} title={name} />
      ))}
      {frame.languages.map(({ code, href }) => (
        <link rel="alternate" hreflang={code} href={href} />
      ))}
      <link
        rel="search"
        type="application/opensearchdescription+xml"
        href={frame.file('/opensearch.xml')}
        title={siteName}
      />
      {head.linkedData !== undefined && <LinkedData value={head.linkedData} />}
      {children}
    </head>
  );
}

function Header({ frame, view }: { frame: Frame; view: PageHead['view'] }) {
  const { words, link } = frame;
  return (
    <header class="k-head">
      <div class="k-wrap">
        <Brand frame={frame} />
        <nav class="k-views" aria-label={words.of('mainNavigation')}>
          <a href={link('/')} aria-current={view === 'list' ? 'page' : undefined}>
            {words.of('list')}
          </a>
          <a href={link('/events/month/')} aria-current={view === 'month' ? 'page' : undefined}>
            {words.of('month')}
          </a>
        </nav>
        <form class="k-search" action={link('/search/')} role="search">
          <input
            type="search"
            name="q"
            maxLength={500}
            aria-label={words.of('searchEvents')}
            placeholder={words.of('searchPlaceholder')}
          />
          <button class="k-button" type="submit">
            {words.of('search')}
          </button>
        </form>
      </div>
    </header>
  );
}

/** The name is the text alternative of the logo only where it does not stand beside it. */
function Brand({ frame }: { frame: Frame }) {
  const { logo, isNameShown, siteName } = frame;
  const showsName = isNameShown || logo === undefined;
  return (
    <a class="k-brand" href={frame.link('/')}>
      {logo === undefined ? <Mark /> : <img src={logo} alt={showsName ? '' : siteName} height={32} />}
      {showsName && <span>{siteName}</span>}
    </a>
  );
}

function Mark() {
  const { frame, top } = MARK_SHAPES;
  return (
    <svg class="k-mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d={frame} />
      <rect {...top} />
    </svg>
  );
}

function Footer({ frame }: { frame: Frame }) {
  const { words, link } = frame;
  const links = [
    ...(frame.hasFeeds ? [{ name: words.of('subscribe'), href: link('/subscribe/') }] : []),
    { name: words.of('atom'), href: frame.atom },
    ...frame.siteLinks,
    { name: words.of('developers'), href: frame.docs },
  ];
  return (
    <footer class="k-foot">
      <div class="k-wrap">
        <p>{words.of('footNote')}</p>
        <nav aria-label={words.of('footNavigation')}>
          <ul class="k-plain">
            {links.map(({ name, href }) => (
              <li>
                <a href={href}>{name}</a>
              </li>
            ))}
            {frame.languages.length > 1 &&
              frame.languages.map(({ name, href, code, isCurrent }) => (
                <li>
                  {isCurrent ? (
                    <span lang={code} aria-current="true">
                      {name}
                    </span>
                  ) : (
                    <a href={href} hreflang={code} lang={code}>
                      {name}
                    </a>
                  )}
                </li>
              ))}
          </ul>
        </nav>
      </div>
    </footer>
  );
}
