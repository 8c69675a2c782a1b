import type { HeadersObject } from '@nestjs/swagger';

const TEXT = { type: 'string' } as const;

/** What answers say of the limit of requests, where the operator sets one (contract 5.6). */
export const LIMIT_HEADERS: HeadersObject = {
  'RateLimit-Policy': {
    description: 'where requests are limited: how many (`q`) within how many seconds (`w`)',
    schema: TEXT,
    example: '"default";q=600;w=60',
  },
  RateLimit: {
    description:
      'where requests are limited: how many are left (`r`), and after how many seconds counting begins anew (`t`)',
    schema: TEXT,
    example: '"default";r=599;t=60',
  },
};

export const RETRY_AFTER: HeadersObject = {
  'Retry-After': { description: 'the seconds to wait', schema: { type: 'integer' }, example: 1 },
};
