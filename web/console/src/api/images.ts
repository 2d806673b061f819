import { queryOptions } from '@tanstack/react-query';
import { api, content, type Schemas } from './client';
import { tarOf } from './tar';
import { upload, type Upload } from './upload';

export type Image = Schemas['Image'];

export const imagesQuery = queryOptions({ queryKey: ['images'], queryFn: () => content(api.GET('/v1/images')) });

export const removeImage = (image: string, key: string) =>
  content(api.DELETE('/v1/images/{image}', { params: { path: { image }, header: { 'Idempotency-Key': key } } }));

/** ImageFiles are the files of an image. An empty command line means none. */
export interface ImageFiles {
  kernel: File;
  initrd: File;
  cmdline: string;
}

/** Returns the archive that contains an image for a push. */
export function archiveOf({ kernel, initrd, cmdline }: ImageFiles): Blob {
  const words = cmdline ? [{ name: 'cmdline', content: new Blob([cmdline]) }] : [];
  return tarOf([{ name: 'kernel', content: kernel }, { name: 'initrd', content: initrd }, ...words]);
}

/** Pushes an image. It may be repeated: the same files under the same name are the same image. */
export const pushImage = (name: string, archive: Blob, sent: (bytes: number) => void): Upload<Image> =>
  upload(`/v1/images?${new URLSearchParams({ name }).toString()}`, archive, sent);
