/** Ids in a page. A page exists only while one of its ids does, so that ids that were deleted take no memory. */
const IDS_PER_PAGE = 1_024;

interface Page {
  /** The slot of each id, plus 1. 0: none. */
  readonly slots: Uint32Array;
  size: number;
}

/** The slot of each id. Takes 4 bytes an id where ids are dense. */
export class IdMap {
  private readonly pages = new Map<number, Page>();

  get(id: number): number | undefined {
    const slot = this.pages.get(Math.floor(id / IDS_PER_PAGE))?.slots[id % IDS_PER_PAGE];
    return slot === undefined || slot === 0 ? undefined : slot - 1;
  }

  set(id: number, slot: number): void {
    const page = this.pageOf(Math.floor(id / IDS_PER_PAGE));
    if (page.slots[id % IDS_PER_PAGE] === 0) page.size += 1;
    page.slots[id % IDS_PER_PAGE] = slot + 1;
  }

  delete(id: number): void {
    const number = Math.floor(id / IDS_PER_PAGE);
    const page = this.pages.get(number);
    if (page === undefined || page.slots[id % IDS_PER_PAGE] === 0) return;
    page.slots[id % IDS_PER_PAGE] = 0;
    page.size -= 1;
    if (page.size === 0) this.pages.delete(number);
  }

  private pageOf(number: number): Page {
    const known = this.pages.get(number);
    if (known !== undefined) return known;
    const page = { slots: new Uint32Array(IDS_PER_PAGE), size: 0 };
    this.pages.set(number, page);
    return page;
  }
}
