import { queryOptions } from '@tanstack/react-query';
import { api, content } from './client';

export const imagesQuery = queryOptions({ queryKey: ['images'], queryFn: () => content(api.GET('/v1/images')) });

export const removeImage = (image: string, key: string) =>
  content(api.DELETE('/v1/images/{image}', { params: { path: { image }, header: { 'Idempotency-Key': key } } }));
