/** The mark: a sheet of a calendar. It follows the light or dark mode of the browser. */
export const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24"><style>path{fill:#211e1a}rect{fill:#a3271f}@media(prefers-color-scheme:dark){path{fill:#ece7de}rect{fill:#f0907f}}</style><path d="M2 3h20v19H2zm2 6v11h16V9z"/><rect x="2" y="3" width="20" height="6"/></svg>
`;

/** The same shape, as pages draw it in their own colours. */
export const MARK_SHAPES = { frame: 'M2 3h20v19H2zm2 6v11h16V9z', top: { x: 2, y: 3, width: 20, height: 6 } } as const;
