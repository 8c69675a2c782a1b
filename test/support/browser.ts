import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';

const SCREENSHOTS = 'coverage/screenshots';

/** Starts the Chromium of the system. As root it only runs without its sandbox. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}

export type Credentials = { readonly token: string } | { readonly login: string; readonly token: string };

/** The documentation page in a browser. */
export class DocPage {
  private constructor(
    readonly page: Page,
    /** Problems: console messages, policy violations, requests to other hosts, failed requests. */
    readonly complaints: readonly string[],
  ) {}

  static async open(browser: Browser, address: string, { width = 1280, isDark = false } = {}): Promise<DocPage> {
    const page = await browser.newPage({
      viewport: { width, height: 900 },
      colorScheme: isDark ? 'dark' : 'light',
    });
    const complaints: string[] = [];
    const { host } = new URL(address);
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => complaints.push(`script: ${error.message}`));
    page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol !== 'data:' && url.host !== host) complaints.push(`left the host: ${request.url()}`);
    });
    await page.addInitScript({ path: 'test/browser/reading.browser.js' });
    await page.goto(address);
    await page.locator('.opblock').first().waitFor();
    return new DocPage(page, complaints);
  }

  /** Returns the tags with their operations, such as `GET /events`, in the order of the page. */
  operations(): Promise<[string, string[]][]> {
    return this.page.evaluate('reading.operations()');
  }

  async authorize(credentials: Credentials): Promise<void> {
    await this.page.locator('.auth-wrapper .authorize').click();
    const dialog = this.page.locator('.modal-ux');
    const isBasic = 'login' in credentials;
    if (isBasic) {
      await dialog.locator('#auth-basic-username').fill(credentials.login);
      await dialog.locator('#auth-basic-password').fill(credentials.token);
    } else {
      await dialog.locator('#auth-bearer-value').fill(credentials.token);
    }
    await dialog
      .locator('form', { has: this.page.locator(isBasic ? '#auth-basic-password' : '#auth-bearer-value') })
      .locator('button.authorize')
      .click();
    await dialog.locator('.btn-done').first().click();
    await dialog.waitFor({ state: 'detached' });
  }

  /** Unfolds an operation. */
  async operation(id: string): Promise<Locator> {
    const operation = this.page.locator(`[id$="-${id}"]`);
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.execute').waitFor();
    return operation;
  }

  /** Sends the request. Returns the response as the page shows it. */
  async execute(operation: Locator): Promise<{ status: number; body: string }> {
    await operation.locator('.execute').click();
    const row = operation.locator('.live-responses-table tbody tr.response').first();
    await row.waitFor();
    return {
      status: Number((await row.locator('.response-col_status').innerText()).split('\n')[0]),
      body: await row.locator('.response-col_description pre').first().innerText(),
    };
  }

  /** Returns the curl command of the last request. */
  curl(operation: Locator): Promise<string> {
    return operation.locator('.curl').innerText();
  }

  /** Returns the visible texts except code, values and names. */
  texts(): Promise<string[]> {
    return this.page.evaluate('reading.texts()');
  }

  /** Returns the elements that extend beyond the window. */
  cut(): Promise<string[]> {
    return this.page.evaluate('reading.cut()');
  }

  async screenshot(name: string): Promise<void> {
    mkdirSync(SCREENSHOTS, { recursive: true });
    await this.page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
  }
}
