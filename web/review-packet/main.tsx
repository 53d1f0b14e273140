import '../src/style.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Message } from '../src/parts/message.tsx';
import { keptLabels } from './kept-labels.ts';
import { checkPacket, readPacket } from './packet.ts';
import { PacketPage } from './packet-page.tsx';

const root = createRoot(document.getElementById('app')!);
const packet = readPacket(document.getElementById('krisis-packet')!.textContent);

if (typeof packet === 'string')
  root.render(
    <main>
      <Message title="This packet cannot be opened" bad>
        <p>{packet}</p>
      </Message>
    </main>,
  );
else {
  const kept = keptLabels(packet);
  void checkPacket(packet).then((integrity) =>
    root.render(
      <StrictMode>
        <PacketPage packet={packet} kept={kept} integrity={integrity} />
      </StrictMode>,
    ),
  );
}
