import { fileExtension } from './image.presenter.js';

describe('fileExtension', () => {
  it.each([
    ['https://example.com/hall.jpg', 'jpg'],
    ['https://example.com/a/HALL.JPEG', 'jpeg'],
    ['https://example.com/a.tar.gz', 'gz'],
    ['https://example.com/a.png?file=b.gif', 'png'],
    ['https://example.com/a.png#b.gif', 'png'],
    ['https://example.com/a?file=/b.gif', ''],
    ['https://example.com/a%2Ejp%67', 'jpg'],
    ['https://example.com/%zz.webp', 'webp'],
    ['https://example.com/%zz', ''],
    ['https://example.com/a.b%2Fc', ''],
    ['https://example.com/a.jpg%3Fx', ''],
    ['https://example.com/a b/ü.PNG', 'png'],
    ['https://example.com', ''],
    ['https://user:x.y@example.com:80', ''],
    ['https://example.com/', ''],
    ['https://example.com/a.b/', ''],
    ['https://example.com/a.b/c', ''],
    ['https://example.com/a.', ''],
    ['https://example.com/.jpg', ''],
    ['', ''],
  ])('EV-NEW-06: %s', (url, extension) => expect(fileExtension(url)).toBe(extension));
});
