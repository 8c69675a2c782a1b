/** What the page says itself, by language. */
interface PageTexts {
  readonly title: string;
  readonly withoutScripts: string;
}

const EN: PageTexts = {
  title: 'Kalends: the interface',
  withoutScripts: 'This page needs JavaScript. Programs get the OpenAPI document from the same address.',
};

export const PAGE_TEXTS: Readonly<Record<string, PageTexts>> & { readonly en: PageTexts } = {
  en: EN,
  de: {
    title: 'Kalends: die Schnittstelle',
    withoutScripts: 'Diese Seite braucht JavaScript. Programme bekommen das OpenAPI-Dokument unter derselben Adresse.',
  },
  fr: {
    title: 'Kalends : l’interface',
    withoutScripts:
      'Cette page a besoin de JavaScript. Les programmes reçoivent le document OpenAPI à la même adresse.',
  },
};
