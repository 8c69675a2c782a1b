import type { ImageResponse } from '../../platform/images/image.response.js';

/** The image of a record, in its own proportions. The text beside it says what there is to know. */
export function Picture({ image: { url, width, height } }: { image: ImageResponse }) {
  if (!/^https?:\/\//i.test(url)) return null;
  return (
    <figure class="k-picture">
      <img src={url} alt="" width={width} height={height} decoding="async" referrerpolicy="no-referrer" />
    </figure>
  );
}
