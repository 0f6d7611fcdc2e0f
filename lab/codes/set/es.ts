/** Labelled mails in Spanish. */
import type { LabelledMail } from './entry.ts'

export const mails: LabelledMail[] = [
  {
    name: 'código en una frase',
    subject: 'Tu código de verificación de Rutabús',
    text: `¡Hola, Lucía!

Para terminar de crear tu cuenta introduce el código 718 204 en la aplicación. Caduca en 10 minutos.

Si no has sido tú, borra este correo.

Rutabús, S.L. · C/ Alcalá 215, 28028 Madrid`,
    code: '718204',
    link: null,
  },
  {
    name: 'clave de firma bancaria con importe',
    subject: 'Clave de un solo uso para tu transferencia',
    html: `<p>Estimada Sra. Ibáñez:</p><p>Ha ordenado una transferencia de <b>2.350,00 €</b> a la cuenta ES91 2100 **** **** 1332.</p><table><tr><td bgcolor="#e8f0f8" style="font-size:30px">04817723</td></tr></table><p>Escriba esta clave en la pantalla de confirmación. Banco Ribera nunca se la pedirá por teléfono.</p><p style="color:#556677">Atención al cliente: 900 555 014</p>`,
    code: '04817723',
    link: null,
  },
  {
    name: 'código al principio del asunto',
    subject: '6093 es tu PIN temporal de Mandarina',
    text: `6093

Escríbelo en la pantalla de acceso. Solo sirve una vez.`,
    code: '6093',
    link: null,
  },
  {
    name: 'letras y cifras',
    subject: 'Vincula tu televisor',
    html: `<h2>Vincula tu tele con Cinefilia+</h2><ol><li>Entra en cinefilia.example/tele</li><li>Pon el código que ves aquí abajo</li></ol><div style="font:bold 34px Arial;color:#c81d25">R7PX4W</div><p>¿Dudas? Escríbenos. Ref. 2026-118840</p>`,
    code: 'R7PX4W',
    link: null,
  },
  {
    name: 'tuteo mexicano con remitente de envíos',
    subject: 'Confirma tu correo en Paquetón',
    text: `¡Qué onda, Memo!

Tu clave de confirmación es:

*** 335-810 ***

Captúrala en paqueton.example antes de las 18:45 h. Si tienes broncas, márcanos al 55 5555 0133.`,
    code: '335810',
    link: null,
  },
  {
    name: 'código y enlace',
    subject: 'Accede a Cuaderno',
    html: `<p>Pulsa el botón para entrar en tu cuaderno:</p><p><a href="https://cuaderno.example/entrar?k=0a77be41&amp;c=es" style="background:#0b7a75;color:#fff">Entrar sin contraseña</a></p><p>¿Estás en otro dispositivo? Usa este código: <b>901 226</b></p><p><a href="https://cuaderno.example/baja/5512">Darme de baja</a></p>`,
    text: `Pulsa el enlace para entrar en tu cuaderno:
https://cuaderno.example/entrar?k=0a77be41&c=es

¿Estás en otro dispositivo? Usa este código: 901 226`,
    code: '901226',
    link: 'https://cuaderno.example/entrar?k=0a77be41&c=es',
  },
  {
    name: 'trámite público',
    subject: 'Sede electrónica: código de acceso',
    text: `AYUNTAMIENTO DE VALDEORRAS DEL RÍO
Sede electrónica

Expediente: 2026/00418
Solicitante: ***4471**

El código de acceso solicitado es el siguiente: 5T8-KQ2

Deberá introducirlo, con el guion, en el formulario en un plazo de 30 minutos.`,
    code: '5T8-KQ2',
    link: null,
  },
  {
    name: 'restablecer con código',
    subject: '¿Olvidaste tu contraseña?',
    html: `<p>Hola, Tincho:</p><p>Recibimos un pedido para cambiar la contraseña de tu cuenta de Yerbal (cliente 300417). Ingresá este código para seguir:</p><p align="center"><span style="letter-spacing:6px;font-size:26px">480951</span></p><p>Si no fuiste vos, no hace falta que hagas nada.</p>`,
    text: `Hola, Tincho:

Recibimos un pedido para cambiar la contraseña de tu cuenta de Yerbal (cliente 300417). Ingresá este código para seguir:

480951

Si no fuiste vos, no hace falta que hagas nada.`,
    code: '480951',
    link: null,
  },
  {
    name: 'dos idiomas',
    subject: 'Código de seguridad / Security code',
    text: `Su código de seguridad es 27184. / Your security code is 27184.

Válido durante 5 minutos. / Valid for 5 minutes.

Aerolínea Cóndor Azul, vuelo CA 4410`,
    code: '27184',
    link: null,
  },
  {
    name: 'OTP de la wallet',
    subject: 'OTP para retirar fondos',
    text: `Retiro: 0.0418 BTC
Red: Lightning
OTP: 772093
Vence: 23/11/2026 14:05

Cambalache nunca solicita tu OTP por WhatsApp.`,
    code: '772093',
    link: null,
  },
  {
    name: 'pedido enviado',
    subject: 'Tu pedido 6620418 ya está en camino',
    html: `<h1>¡Ya va para allá!</h1><p>Pedido: 6620418<br>N.º de seguimiento: PK00394417ES<br>Código postal: 46022</p><p><a href="https://seguimiento.paqueton.example/?n=PK00394417ES">Seguir mi paquete</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'cupón de descuento',
    subject: 'Usa el código VERANO25 y llévate un 25 %',
    html: `<div style="background:#ffdd00"><p>Tu código:</p><h1>VERANO25</h1><p>Introdúcelo al finalizar la compra. Hasta el 31/08/2026.</p><a href="https://zapatoria.example/rebajas?c=202608">Comprar ahora</a></div><small>Zapatoria, S.A. CIF A-48291307 · <a href="https://zapatoria.example/baja?e=81724">Cancelar suscripción</a></small>`,
    code: null,
    link: null,
  },
  {
    name: 'código enviado por SMS',
    subject: 'Verifica tu identidad',
    text: `Acabamos de mandarte un SMS con un código de 6 cifras al móvil acabado en 318. Escríbelo en la pantalla para continuar.

¿No te llega? Llámanos al 911 555 062 (extensión 2204).`,
    code: null,
    link: null,
  },
  {
    name: 'aviso de estafa',
    subject: 'Protege tus claves',
    text: `Últimamente circulan correos falsos con asuntos como "Código 559812". Banco Ribera NUNCA te pedirá el código de verificación, ni el PIN, ni la clave de firma. Si alguien te lo pide, cuelga.

Más consejos: https://bancoribera.example/seguridad`,
    code: null,
    link: null,
  },
  {
    name: 'timo de multa',
    subject: '904417',
    html: `<p>Tiene una multa pendiente de pago por importe de 58,40 €.</p><p>Referencia: 904417</p><p><a href="https://dgt-pagos.example/m/904417">Pagar ahora</a></p><p>De no abonarla antes del 25/11/2026 se aplicará un recargo.</p>`,
    code: null,
    link: null,
  },
  {
    name: 'confirmar dirección',
    subject: 'Confirma tu dirección de correo',
    text: `Gracias por apuntarte al boletín de La Higuera.

Confirma tu suscripción aquí:
https://lahiguera.example/boletin/confirmar?id=77120&h=b31d0f

Si no quieres recibir nada más: https://lahiguera.example/boletin/baja?id=77120`,
    code: null,
    link: 'https://lahiguera.example/boletin/confirmar?id=77120&h=b31d0f',
  },
  {
    name: 'restablecer con enlace',
    subject: 'Restablece tu contraseña de Telar',
    html: `<p>Hola:</p><p>Has pedido cambiar tu contraseña. Tienes 60 minutos.</p><p><a href="https://telar.example/cuenta/nueva-clave/fd90a2c14b">Elegir contraseña nueva</a></p><p>¿No lo has pedido? <a href="https://telar.example/ayuda/840012">Cuéntanoslo</a>.</p><p style="color:#334455">Telar Coop. V. · 963 555 021</p>`,
    code: null,
    link: 'https://telar.example/cuenta/nueva-clave/fd90a2c14b',
  },
  {
    name: 'inicio de sesión nuevo',
    subject: 'Nuevo inicio de sesión en tu cuenta',
    text: `Hemos detectado un acceso desde Bogotá (186.28.0.14), el 22/11/2026 a las 23:17.

¿Has sido tú? Perfecto, no tienes que hacer nada.
¿No has sido tú? Protege tu cuenta: https://id.mandarina.example/proteger/33190`,
    code: null,
    link: null,
  },
  {
    name: 'factura de luz',
    subject: 'Tu factura de noviembre',
    html: `<table><tr><td>N.º de factura</td><td>LC26-1100482</td></tr><tr><td>Contrato</td><td>80042917</td></tr><tr><td>Consumo</td><td>214 kWh</td></tr><tr><td>Importe</td><td>61,28 €</td></tr></table><p><a href="https://clientes.luzclara.example/f/1100482">Ver factura</a></p>`,
    text: `N.º de factura: LC26-1100482
Contrato: 80042917
Importe: 61,28 €
https://clientes.luzclara.example/f/1100482`,
    code: null,
    link: null,
  },
  {
    name: 'reserva de hotel',
    subject: 'Reserva 71.203.948 confirmada',
    text: `Su reserva 71.203.948 en el Hotel Mirador está confirmada.

Entrada: 04/12/2026, a partir de las 15:00
Habitación: 412
Localizador: QX7T2M

Presente el localizador en recepción.`,
    code: null,
    link: null,
  },
  {
    name: 'código caducado',
    subject: 'Tu código ha caducado',
    text: `El código de acceso que te enviamos (118306) ya no es válido porque han pasado más de 15 minutos. Vuelve a la web y pide otro.`,
    code: null,
    link: null,
  },
  {
    name: 'pedido y código con las mismas cifras',
    subject: 'Falta un paso para el pedido 550318',
    html: `<p>Para cambiar la dirección del pedido <b>550318</b> necesitamos comprobar que este correo es tuyo.</p><p>Código: <b>117940</b></p><p>Cliente 882041</p>`,
    text: `Para cambiar la dirección del pedido 550318 necesitamos comprobar que este correo es tuyo.

Código: 117940

Cliente 882041`,
    code: '117940',
    link: null,
  },
  {
    name: 'cifras en casillas',
    subject: 'Verifica tu cuenta de Pupitre',
    html: `<style>.n{border:1px solid #445577;padding:6px}</style><p>¡Ya casi! Escribe esto donde lo dejaste:</p><p><span class="n">5</span><span class="n">0</span><span class="n">2</span><span class="n">2</span><span class="n">8</span><span class="n">7</span></p>`,
    code: '502287',
    link: null,
  },
  {
    name: 'clave en casos de soporte',
    subject: 'Clave temporal [caso 770412]',
    html: `<p>Hola, Andrés:</p><p>Como hablamos por teléfono (caso 770412), tu clave temporal es <b>Zk82mTq</b>. Distingue mayúsculas y minúsculas; te pediremos cambiarla al entrar.</p>`,
    text: `Hola, Andrés:

Como hablamos por teléfono (caso 770412), tu clave temporal es Zk82mTq. Distingue mayúsculas y minúsculas; te pediremos cambiarla al entrar.`,
    code: 'Zk82mTq',
    link: null,
    kind: 'password',
  },
  {
    name: 'activar la tarjeta de socio',
    subject: 'Activa tu carné de la biblioteca',
    html: `<p>Tu carné n.º 00048291 ya está listo. <a href="https://biblio.valdemar.example/activar?carne=48291&amp;f=0c7e">Actívalo aquí</a> y empieza a reservar.</p><p><a href="https://biblio.valdemar.example/horarios">Horarios</a></p>`,
    code: null,
    link: 'https://biblio.valdemar.example/activar?carne=48291&f=0c7e',
  },
  {
    name: 'códigos de otra clase',
    subject: 'Incidencia con el código de barras 8412345678905',
    html: `<p>El lector devuelve el código de error 40312 con el código de barras 8412345678905. El código postal del almacén es 28906 y el código de país, 34.</p><p>Parte 118204</p>`,
    text: `El lector devuelve el código de error 40312 con el código de barras 8412345678905. El código postal del almacén es 28906 y el código de país, 34.`,
    code: null,
    link: null,
  },
  {
    name: 'sorteo',
    subject: '¿Tienes el 48291?',
    html: `<h1>Números premiados</h1><table><tr><td>1.º</td><td>48291</td></tr><tr><td>2.º</td><td>30774</td></tr><tr><td>3.º</td><td>11820</td></tr></table><p>Sorteo 96/2026</p>`,
    code: null,
    link: null,
  },
  {
    name: 'código de amigo',
    subject: 'Trae a un amigo y gana 15 €',
    html: `<p>Comparte tu código <b>LUCIA447</b>. Cuando tu amigo lo meta al registrarse, los dos ganáis 15 €.</p>`,
    text: `Comparte tu código LUCIA447. Cuando tu amigo lo meta al registrarse, los dos ganáis 15 €.`,
    code: null,
    link: null,
  },
  {
    name: 'encabezado de columna y código debajo',
    subject: 'Acceso a la oficina virtual',
    html: `<table><tr><th>Usuario</th><th>Contraseña de un solo uso</th><th>Válida hasta</th></tr><tr><td>20418</td><td>775310</td><td>23/11/2026 09:15</td></tr></table><p>Mutua Sanitaria del Cantábrico</p>`,
    text: `Usuario: 20418
Contraseña de un solo uso: 775310
Válida hasta: 23/11/2026 09:15`,
    code: '775310',
    link: null,
  },
  {
    name: 'la etiqueta va después',
    subject: 'Bienvenido a Tostadero',
    html: `<p style="font-size:34px">08 26 45</p><p style="color:#666666">↑ Este es el número que te pide la app. Dura un cuarto de hora.</p>`,
    code: '082645',
    link: null,
  },
  {
    name: 'lectura del contador',
    subject: 'Hemos recibido tu lectura',
    text: `Lectura anotada: 048291
CUPS: ES0021000004829130XY
Contador: 30774118

Gracias por ayudarnos.`,
    html: `<p>Lectura anotada: <b>048291</b></p><p>CUPS: ES0021000004829130XY · Contador: 30774118</p><p>Gracias por ayudarnos.</p>`,
    code: null,
    link: null,
  },
]
