import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';
import starlightLinksValidator from 'starlight-links-validator';
import starlightLlmsTxt from 'starlight-llms-txt';
import { SECTIONS } from './pages.ts';

export default defineConfig({
  site: 'https://krisis-owner.github.io',
  integrations: [
    starlight({
      title: 'Krisis',
      description:
        'Krisis measures whether a language model can be trusted on clinical tasks: whether it is right, whether it knows when not to answer, and how sure to be.',
      social: [{ icon: 'github', label: 'GitHub', href: 'https://github.com/krisis-owner/krisis' }],
      sidebar: SECTIONS.map(({ title, pages }) => ({ label: title, items: [...pages] })),
      plugins: [starlightLinksValidator(), starlightLlmsTxt()],
      customCss: ['./style.css'],
    }),
  ],
});
