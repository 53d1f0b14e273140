import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';
import starlightLinksValidator from 'starlight-links-validator';
import starlightLlmsTxt from 'starlight-llms-txt';
import { HOW_TO, SECTIONS, slug } from './pages.ts';

const section = ({ title, pages }) => ({ label: title, items: pages.map((name) => slug(name)) });
const [tutorials, ...others] = SECTIONS.filter(({ title }) => !HOW_TO.includes(title));
const howTo = SECTIONS.filter(({ title }) => HOW_TO.includes(title));

export default defineConfig({
  site: 'https://krisis-owner.github.io',
  integrations: [
    starlight({
      title: 'Krisis',
      description:
        'Krisis measures whether a language model can be trusted on clinical tasks: whether it is right, whether it knows when not to answer, and how sure to be.',
      social: [{ icon: 'github', label: 'GitHub', href: 'https://github.com/krisis-owner/krisis' }],
      sidebar: [
        section(tutorials),
        { label: 'How to', items: howTo.map((part) => ({ ...section(part), collapsed: true })) },
        ...others.map(section),
        { label: 'API reference', link: '/api/index.html' },
      ],
      plugins: [starlightLinksValidator({ exclude: ['/api/**'] }), starlightLlmsTxt()],
      customCss: ['./style.css'],
    }),
  ],
});
