package ayatori.bench.load;

import java.util.List;
import jpi.JApplication;
import jpi.JComm;

/**
 * {@code jpi.JRun -np 2 JpiTimes WARM_UP_MILLISECONDS BUDGET_MILLISECONDS BYTES...}: half round trips by JPI, out of arrays into
 * arrays, as {@link PeerTimes} prints them.
 */
public final class JpiTimes extends JApplication {
    @Override
    public void Jmain(String[] arguments) {
        JComm world = JPI.COMM_WORLD;
        BufferRally rally = new BufferRally(world, null, false);
        if (world.rank() == 0) {
            PeerTimes.lead(rally, List.of(arguments));
        } else {
            rally.follow();
        }
    }
}
